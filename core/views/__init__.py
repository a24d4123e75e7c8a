"""Views: frozen values computed from (session, moment); they know nothing of widgets."""
