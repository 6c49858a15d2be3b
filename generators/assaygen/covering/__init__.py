"""What covering cases are chosen from: classes of layouts and of shapes, and rows of them."""
