# The program and what it needs to run, as a user without rights: docs/guides/containers.md tells how to use it.
# `sh scripts/try-dockerfile` tries every step in a fresh Debian root.

FROM debian:trixie-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates nodejs npm
WORKDIR /build
COPY . .
# The package as npm has it, and the Node that the lock file names.
RUN npm run build && npm pack --ignore-scripts --pack-destination /tmp
RUN npm install --prefix /opt/jelajah --omit=dev --omit=optional --omit=peer --no-audit --no-fund /tmp/jelajah-*.tgz
RUN mkdir /opt/jelajah/bin && cp node_modules/node/bin/node /opt/jelajah/bin/ && ln -s ../node_modules/.bin/jelajah /opt/jelajah/bin/

FROM debian:trixie-slim
RUN useradd --uid 10001 --user-group --home-dir /data --no-create-home --shell /usr/sbin/nologin jelajah && install -d -o jelajah -g jelajah -m 0700 /data
COPY --from=build /opt/jelajah /opt/jelajah
ENV PATH=/opt/jelajah/bin:/usr/local/bin:/usr/bin:/bin
ENV JELAJAH_DATA=/data
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8088
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 8088}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["jelajah"]
CMD ["serve", "--host", "0.0.0.0"]
