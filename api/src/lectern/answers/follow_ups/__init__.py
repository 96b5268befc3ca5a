"""Follow-up questions: rewritten from the thread into questions that stand alone."""
