#!/bin/sh
# An array whose tasks judge a backend together. `assay check` finds its shard in
# the environment of the task.
#SBATCH --job-name=assay
#SBATCH --array=0-7
#SBATCH --cpus-per-task=2
#SBATCH --requeue
set -eu
ASSAY_CHECK=${ASSAY_CHECK:-"--backend cpu:"}
results=assay-$SLURM_ARRAY_JOB_ID
mkdir -p "$results"
code=0
eval "assay check $ASSAY_CHECK" -j "$SLURM_CPUS_PER_TASK" --resume \
  -o '"$results/$SLURM_ARRAY_TASK_ID.jsonl"' || code=$?
# 1: something differs, which the merged report tells; 77: nothing ran.
case $code in 0 | 1 | 77) ;; *) exit "$code" ;; esac
