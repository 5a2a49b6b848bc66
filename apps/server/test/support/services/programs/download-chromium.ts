import { access } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { chromium } from 'playwright-core'
import type { Installation } from './installation.js'
import { runCommand } from './run-command.js'

/** Downloads Playwright's own Chromium into the user's cache, for machines without a Debian package. */
export async function downloadChromium(): Promise<Installation> {
  const path = chromium.executablePath()
  await access(path).catch(async () => {
    const playwright = dirname(createRequire(import.meta.url).resolve('playwright-core/package.json'))
    const command = [process.execPath, join(playwright, 'cli.js'), 'install', '--no-shell', 'chromium']
    await runCommand(command, { timeoutSeconds: 300 })
  })
  return {
    kind: 'folders',
    origin: 'downloaded by Playwright',
    programs: dirname(path),
    program: basename(path),
    libraries: [],
  }
}
