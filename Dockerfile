# One image for all processes: the pages are built in the first stage, the second holds what runs and nobody's tools.
FROM node:22-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm install --no-audit --no-fund
COPY . .
RUN npx prisma generate && npx vite build web && node tools/bundle.mjs && npm prune --omit=dev

FROM node:22-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/prisma ./prisma
COPY --from=build /app/web/dist ./web/dist
USER node
CMD ["node", "dist/api.mjs"]
