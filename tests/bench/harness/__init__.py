"""What `make bench` is made of: intervals (statistics), results (what is written), alternation and processes (how
things are run), benchmarks (which there are), table (how they are printed). Standard library alone."""
