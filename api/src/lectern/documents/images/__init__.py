"""Pages as pictures: drawn when they are asked for, kept in memory for a short while, nowhere else."""
