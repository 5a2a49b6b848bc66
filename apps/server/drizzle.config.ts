import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: [
    './dist/adapters/database/schema.js',
    './dist/adapters/database/agent-revision-schema.js',
    './dist/adapters/database/agent-test-schema.js',
    './dist/adapters/database/audit-schema.js',
    './dist/adapters/database/file-schema.js',
    './dist/adapters/database/memory-schema.js',
    './dist/adapters/database/idempotency-schema.js',
    './dist/adapters/database/installation-schema.js',
    './dist/adapters/database/mcp-schema.js',
    './dist/adapters/database/mcp-grant-schema.js',
    './dist/adapters/database/turn-schema.js',
    './dist/adapters/database/usage-schema.js',
    './dist/adapters/database/ledger-schema.js',
    './dist/adapters/database/people-schema.js',
    './dist/adapters/database/phone-schema.js',
    './dist/adapters/database/realtime-schema.js',
    './dist/adapters/database/webhook-schema.js',
  ],
  out: './migrations',
})
