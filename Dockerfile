# By tag here, so that a machine without a registry can put an image of its own under this name; docker-compose.yml, by which
# releases are built, names the digest.
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json ./
COPY src ./src
COPY tools/build-page.ts ./tools/
RUN npm run build

FROM node:24.21.0-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# What nothing loads takes half the room: source maps, TypeScript, LevelDB's own source, its binaries for other machines, and what
# tar-stream wants outside of Node.
RUN npm ci --ignore-scripts --omit=dev --omit=optional \
  && find node_modules -type f \( -name '*.map' -o -name '*.ts' -o -name '*.[cm]ts' \) -delete \
  && find node_modules/classic-level/prebuilds -mindepth 1 -maxdepth 1 ! -name "linux-$(node -p process.arch)" -exec rm -r {} + \
  && rm -r node_modules/classic-level/deps node_modules/bare-*

FROM node:24.21.0-bookworm-slim
# What unpacks .bz2 and .xz files.
RUN apt-get update && apt-get install --yes --no-install-recommends bzip2 xz-utils && rm -r /var/lib/apt/lists/*
# The index is a folder inside the volume: a fresh volume may hold a lost+found, and an index begins in an empty folder.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data/index
# What one thread takes for LevelDB and another gives back is else kept by many arenas: 65 MiB more, for no speed.
ENV MALLOC_ARENA_MAX=2
# Pieces of a megabyte, as tails and images are, go back to the system: else the heap around them is kept, some 200 MiB.
ENV MALLOC_MMAP_THRESHOLD_=1048576 MALLOC_TRIM_THRESHOLD_=16777216
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
# Optional, but it reads PDF files; the other optional packages are Node itself.
COPY --from=build /app/node_modules/unpdf ./node_modules/unpdf
COPY --from=build /app/dist ./dist
COPY package.json LICENSE ./
RUN install --directory --mode=700 --owner=node --group=node /data
USER node
VOLUME ["/data"]
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "dist/health-check.process.js"]
CMD ["node", "--enable-source-maps", "--max-semi-space-size=32", "--no-parallel-scavenge", "dist/main.js"]
