"""An example of a plug-in for Paragold: one module for each thing that it adds."""
