import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'
import { startBackend } from '../process/backend-process.js'
import type { RunningService } from '../start-service.js'

const documentation = new URL('../../../../../docs/reference/realtime.md', import.meta.url)

/** Serves the page of docs/reference/realtime.md with the backend that stands beside it, both as they are written there. */
export async function serveDocumentedPage(running: RunningService, agentId: string): Promise<string> {
  const text = await readFile(documentation, 'utf8')
  const folder = await mkdtemp(join(inject('runDirectory'), 'page-'))
  await writeFile(join(folder, 'page.html'), codeIn(text, '<!-- page.html -->'))
  await writeFile(join(folder, 'backend.mjs'), codeIn(text, '// backend.mjs'))
  return startBackend(join(folder, 'backend.mjs'), {
    PARLEY: running.url,
    ORG: running.organizationId,
    KEY: running.apiKey,
    AGENT: agentId,
    PORT: '0',
  })
}

/** The block of code that begins with this line. */
function codeIn(text: string, firstLine: string): string {
  const start = text.indexOf(`\n${firstLine}\n`)
  const end = text.indexOf('\n```\n', start)
  if (start < 0 || end < 0)
    throw new Error(`docs/reference/realtime.md has no block that begins with ${firstLine}`)
  return text.slice(start + 1, end + 1)
}
