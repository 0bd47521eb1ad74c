# inkread in a container. tests/package/try_packages.py runs the instructions of the last stage in a bare system, so that
# they are tested where there is no container engine.
#
#   docker build --tag inkread .
#   docker run --rm --network none --volume "$PWD:/work:ro" inkread read photo.jpg

FROM debian:bookworm AS build
COPY . /inkread
RUN /inkread/dev package
RUN /inkread/build/package/apps/inkread models fetch small --models /models

FROM debian:bookworm-slim
COPY --from=build /inkread/build/packages /packages
RUN apt-get update && \
    apt-get install --yes --no-install-recommends /packages/inkread_*.deb ca-certificates poppler-utils && \
    rm -r /packages /var/lib/apt/lists/*
COPY --from=build /models /usr/local/share/inkread/models
RUN useradd --create-home inkread
USER inkread
WORKDIR /work
ENTRYPOINT ["inkread"]
CMD ["--help"]
