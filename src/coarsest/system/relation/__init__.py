"""Step relations: several ways to hold one, and to compute images and preimages with it."""
