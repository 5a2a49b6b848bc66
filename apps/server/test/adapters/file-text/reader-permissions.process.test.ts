import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import type { readApart } from '#server/adapters/file-text/read-apart.js'
import { makeLog } from '#server/adapters/system/log.js'
import { systemTimers as timers } from '#server/adapters/system/timers.js'
import { closeAfterwards } from '../../support/close-afterwards.js'

const top = fileURLToPath(new URL('../../../../../', import.meta.url))
const original = join(top, 'apps/server/dist/adapters/file-text')

/** What a compromised reader tries. This source replaces one of the reader's modules. */
const compromisedModule = `
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { Worker } from 'node:worker_threads'
import { convert } from 'html-to-text'

const attempts = {
  'one of its own libraries': () => { if (convert('<p>Hello</p>') !== 'Hello') throw new Error() },
  'a system file': () => readFileSync('/etc/passwd'),
  'a system file after a delay': () => readFile('/etc/passwd'),
  'a project file': () => readFileSync(${JSON.stringify(join(top, 'package.json'))}),
  'a folder': () => readdirSync('/'),
  'whether a file exists': () => statSync('/etc/passwd'),
  'a write': () => writeFileSync(new URL('./written', import.meta.url), 'x'),
  'a program': () => execFileSync(process.execPath, ['--version']),
  'a shell': () => { const { error } = spawnSync('true'); if (error) throw error },
  'a thread': () => new Worker('1', { eval: true }),
  'a thread with all permissions': () => new Worker('1', { eval: true, execArgv: [] }),
  'native code': () => process.dlopen({ exports: {} }, '/lib/none.node'),
  'Node internals': () => process.binding('fs'),
  'a connection': () => new Promise((resolve, reject) => connect(9, '127.0.0.1').on('error', reject).on('connect', resolve)),
  'the environment': () => { if (Object.keys(process.env).length === 0) throw new Error('empty') },
}

export async function readHtml(content, cutter, give) {
  for (const [label, attempt] of Object.entries(attempts)) {
    let outcome = 'done'
    try { await attempt() } catch (error) { outcome = error.code ?? error.message }
    await give([{ label, content: outcome }])
  }
}
`

const denied = 'ERR_ACCESS_DENIED'
const [major = 0] = process.versions.node.split('.').map(Number)

describe('a compromised document reader [FILE-12]', () => {
  let outcomes: Readonly<Record<string, string>>
  const lines: string[] = []

  /** The real reader with one replaced module. */
  beforeAll(async () => {
    // In this folder, Node finds the libraries as it does from the original one.
    await mkdir(join(top, '.cache'), { recursive: true })
    const folder = await mkdtemp(join(top, '.cache', 'reader-'))
    closeAfterwards(() => rm(folder, { recursive: true, force: true }))
    const room = join(folder, 'file-text')
    await mkdir(room)
    for (const name of (await readdir(original)).filter((each) => each.endsWith('.js'))) {
      const source = await readFile(join(original, name), 'utf8')
      // The source map reference is not copied.
      await writeFile(join(room, name), source.replace(/^\/\/# sourceMappingURL=.*$/m, ''))
    }
    await writeFile(join(room, 'read-html.js'), compromisedModule)
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
    const copy = (await import(join(room, 'read-apart.js'))) as { readonly readApart: typeof readApart }
    const given: [string, string][] = []
    const outcome = await copy.readApart(
      {
        log: makeLog('debug', false, { destination: { write: (line) => void lines.push(line) } }),
        timers,
        limits: {
          maxMilliseconds: 30_000,
          maxCharacters: 100_000,
          maxHeapMegabytes: 768,
          maxMemoryBytes: 1024 ** 3,
        },
        onStart: () => undefined,
      },
      {
        organizationId: 'o',
        contentType: 'text/html',
        sizeBytes: 2,
        content: (async function* () {
          yield Buffer.from('hi')
        })(),
        signal: new AbortController().signal,
        onPassages: async (passages) => {
          given.push(...passages.map(({ label, content }): [string, string] => [String(label), content]))
        },
      },
    )
    expect(lines.join('')).toBe('')
    expect(outcome).toEqual({ kind: 'read' })
    outcomes = Object.fromEntries(given)
  })

  test('can load its own libraries', () => {
    expect(outcomes['one of its own libraries']).toBe('done')
  })

  test.each([
    'a system file',
    'a system file after a delay',
    'a project file',
    'a folder',
    'whether a file exists',
    'a write',
    'a program',
    'a shell',
    'a thread',
    'a thread with all permissions',
    'Node internals',
  ])('is denied access to %s', (attempt) => {
    expect(outcomes[attempt]).toBe(denied)
  })

  test('cannot load native code', () => {
    expect(outcomes['native code']).toBe('ERR_DLOPEN_DISABLED')
  })

  test('cannot open a connection if the Node version can forbid it', () => {
    expect(outcomes['a connection']).toBe(major >= 25 ? denied : 'ECONNREFUSED')
  })

  test('has an empty environment', () => {
    expect(outcomes['the environment']).toBe('empty')
  })
})
