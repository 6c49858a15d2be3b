"""What single operations give, by fractions, integers and mpmath alone."""
