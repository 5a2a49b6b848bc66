import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

const manifest = new URL('../package.json', import.meta.resolve('@electric-sql/pglite'))
const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(manifest, 'utf8')))

/** Where the build leaves a ready-made data directory; see scripts/make-embedded-template.mjs. */
export const templateDirectory = fileURLToPath(
  new URL(`../../../embedded-template-${version}`, import.meta.url),
)
