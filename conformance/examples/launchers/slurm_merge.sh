#!/bin/sh
# slurm_merge.sh ID: joins what the tasks of the array job ID have found.
#SBATCH --job-name=assay-merge
set -eu
cd "assay-$1"
exec assay merge [0-9]*.jsonl -o all.jsonl --junit all.xml
