# syntax=docker/dockerfile:1
# snippet:check
# hadolint global ignore=DL3066,DL3059
# snippet:end
# snippet:doc https://docs.docker.com/build/building/best-practices/ Building best practices
# snippet:about Docker
# snippet:needs Docker 23
# The figures of the paper, from raw data:
# docker build --tag paper . && docker run --name paper paper
# docker cp paper:/study/results . ; docker rm paper
FROM rocker/r-ver:4.5.1

# This base takes R packages as they were before the next R came out: they do not drift after that.
RUN /rocker_scripts/install_pandoc.sh 3.1.3 \
 && install2.r --error --ncpus 2 data.table ggplot2 rmarkdown \
 && useradd --create-home --uid 10001 scientist
USER scientist
WORKDIR /study

# Single-threaded sums are added in the same order every time.
ENV OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 TZ=UTC

COPY --chown=scientist data/raw/ data/raw/
COPY --chown=scientist analysis/ analysis/

CMD ["Rscript", "-e", \
     "set.seed(20250801); rmarkdown::render('analysis/paper.Rmd', output_dir = 'results')"]
