import { describe, expect, test } from 'vitest'
import { findWrongImports, importsIn, type Package } from './arrows.js'
import { readJson, sourceFilesIn } from './source-files.js'

const packages = Object.fromEntries(
  ['contract', 'server'].map((name) => [name, readJson<Package>(`${name}/package.json`)]),
)

test('[HOUSE-1] imports point one way, and at declared packages alone', () => {
  const files = sourceFilesIn('contract/src', 'server/src')
  expect(files.length).toBeGreaterThan(100)
  expect(findWrongImports(files, packages)).toEqual([])
})

describe('[HOUSE-1] the check itself', () => {
  const known: Record<string, Package> = {
    contract: { dependencies: { zod: '4' } },
    server: { dependencies: { '@parley/contract': '0', fastify: '5', pg: '8', zod: '4' } },
  }

  const wrong = [
    ['server/src/domain/tasks/tasks.ts', '../../edge/http/context.js', 'leads from domain to edge/http'],
    [
      'server/src/domain/tasks/tasks.ts',
      '../../adapters/system/clock.js',
      'leads from domain to adapters/system',
    ],
    ['server/src/domain/tasks/tasks.ts', '../../config.js', 'leads from domain to config'],
    ['server/src/domain/tasks/tasks.ts', '../../compose.js', 'leads from domain to compose'],
    ['server/src/domain/tasks/tasks.ts', 'pg', 'is a technology, and domain knows none'],
    ['server/src/ports/clock.ts', '../domain/domain-error.js', 'leads from ports to domain'],
    ['server/src/ports/clock.ts', 'fastify', 'is a technology, and ports knows none'],
    [
      'server/src/edge/http/context.ts',
      '../../adapters/system/clock.js',
      'leads from edge/http to adapters/system',
    ],
    ['server/src/edge/http/context.ts', '../../config.js', 'leads from edge/http to config'],
    [
      'server/src/adapters/system/clock.ts',
      '../../domain/domain-error.js',
      'leads from adapters/system to domain',
    ],
    [
      'server/src/adapters/system/clock.ts',
      '../database/handle.js',
      'leads from adapters/system to adapters/database',
    ],
    [
      'server/src/adapters/system/clock.ts',
      '../../edge/http/context.js',
      'leads from adapters/system to edge/http',
    ],
    ['server/src/config/settings.ts', '../domain/domain-error.js', 'leads from config to domain'],
    ['server/src/domain/tasks/tasks.ts', 'lodash', 'is not among the dependencies of server'],
    ['server/src/domain/tasks/tasks.ts', '@scope/name/deep', 'is not among the dependencies of server'],
    ['server/src/domain/tasks/tasks.ts', '#server/ports/clock.js', 'is for tests'],
    ['contract/src/task.ts', '@parley/server', 'is not among the dependencies of contract'],
    ['contract/src/task.ts', '../../server/src/version.js', 'leads from contract to version'],
  ] as const

  test.each(wrong)('finds %s importing %s', (path, specifier, mistake) => {
    const files = [{ path, text: `import { x } from '${specifier}'\n` }]
    expect(findWrongImports(files, known)).toEqual([`${path}: ${specifier} ${mistake}`])
  })

  const right = [
    ['server/src/compose.ts', './adapters/system/clock.js'],
    ['server/src/main.ts', './config.js'],
    ['server/src/workers.ts', './compose.js'],
    ['server/src/edge/http/context.ts', '../../domain/tasks/tasks.js'],
    ['server/src/edge/http/context.ts', '../terminal/announce.js'],
    ['server/src/edge/terminal/announce.ts', '../../config.js'],
    ['server/src/edge/http/context.ts', 'fastify'],
    ['server/src/domain/tasks/tasks.ts', '../access/caller.js'],
    ['server/src/domain/tasks/tasks.ts', '../../ports/clock.js'],
    ['server/src/adapters/system/clock.ts', '../../ports/clock.js'],
    ['server/src/adapters/database/schema.ts', '@parley/contract'],
    ['server/src/config.ts', './config/settings.js'],
    ['server/src/ports/clock.ts', 'node:net'],
    ['contract/src/operations/index.ts', '../operation.js'],
  ] as const

  test.each(right)('takes %s importing %s', (path, specifier) => {
    expect(findWrongImports([{ path, text: `import { x } from '${specifier}'\n` }], known)).toEqual([])
  })

  const forms = [
    `import { x } from 'found'`,
    `import {\n  x,\n  y as z,\n} from 'found'`,
    `import type { X } from 'found'`,
    `import x, { type Y } from 'found'`,
    `import * as x from "found"`,
    `import 'found'`,
    `export { x } from 'found'`,
    `export type { X } from 'found'`,
    `export * from 'found'`,
    `const x = await import('found')`,
    `type X = import('found').X`,
    `const x = require('found')`,
  ]

  test.each(forms)('reads %j', (text) => {
    expect(importsIn(`const a = 'b'\n${text}\nexport const c = 'd'\n`)).toEqual(['found'])
  })

  test('reads the files of workers', () => {
    expect(importsIn(`new Worker(new URL('./found.js', import.meta.url))`)).toEqual(['./found.js'])
  })

  test('does not take words for imports', () => {
    const text = `/* import x from 'a' */\n// import x from 'b'\nconst url = 'https://c' // from 'd'\n`
    expect(importsIn(text)).toEqual([])
  })
})
