import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: './dist/adapters/database/schema.js',
  out: './migrations',
})
