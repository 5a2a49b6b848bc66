import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { readJson, workspaces } from './source-files.js'

const top = fileURLToPath(new URL('../../../../', import.meta.url))

function run(program: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: top,
    encoding: 'utf8',
    timeout: 120_000,
  })
  return { status, lines: `${stderr}${stdout}`.trim().split('\n') }
}

test('every file, export and dependency is used [HOUSE-3]', () => {
  const { status, lines } = run('node_modules/knip/bin/knip.js', '--no-progress')
  expect(lines).toEqual([''])
  expect(status).toBe(0)
}, 120_000)

type Import = readonly [from: string, to: string, rule: string]

const wrong: readonly Import[] = [
  ['packages/contract/src/task.ts', '../../../apps/server/src/version.js', 'contract-imports-no-package'],
  ['packages/contract/src/task.ts', '../../engine/src/index.js', 'contract-imports-no-package'],
  ['apps/server/src/domain/a/a.ts', '../../edge/http/context.js', 'domain-knows-ports'],
  ['apps/server/src/domain/a/a.ts', '../../adapters/system/clock.js', 'domain-knows-ports'],
  ['apps/server/src/domain/a/a.ts', '../../config.js', 'domain-knows-ports'],
  ['apps/server/src/domain/a/a.ts', '../../wiring/service.js', 'domain-knows-ports'],
  ['apps/server/src/domain/a/a.ts', 'pg', 'no-technology-inside'],
  ['apps/server/src/domain/a/a.ts', 'picomatch', 'undeclared-package'],
  ['apps/server/src/domain/a/a.ts', '@scope/name/deep', 'unresolved-import'],
  ['apps/server/src/domain/a/a.ts', '#server/ports/time.js', 'unresolved-import'],
  ['apps/server/src/ports/store.ts', '../domain/error.js', 'ports-know-the-contract'],
  ['apps/server/src/ports/store.ts', 'fastify', 'no-technology-inside'],
  ['apps/server/src/edge/http/route.ts', '../../adapters/system/clock.js', 'edge-knows-the-domain'],
  ['apps/server/src/edge/http/route.ts', '../../config.js', 'edge-knows-the-domain'],
  ['apps/server/src/edge/http/route.ts', '../ws/upgrade.js', 'http-knows-no-sockets'],
  ['apps/server/src/adapters/system/timer.ts', '../../domain/error.js', 'adapters-know-ports'],
  ['apps/server/src/adapters/system/timer.ts', '../database/handle.js', 'adapters-know-ports'],
  ['apps/server/src/adapters/system/timer.ts', '../../edge/http/context.js', 'adapters-know-ports'],
  ['apps/server/src/adapters/mcp-tools/tool.ts', '../database/handle.js', 'adapter-mcp-tools'],
  ['apps/server/src/config/settings.ts', '../domain/error.js', 'config-knows-the-contract'],
  ['apps/server/src/version.ts', './ports/time.js', 'version-imports-nothing'],
  ['packages/engine/src/session.ts', '../../../apps/server/src/ports/time.js', 'engine-knows-the-demo-model'],
  ['apps/talk/src/page.ts', '../../server/src/domain/error.js', 'talk-is-a-client'],
  ['packages/terminal/src/output.ts', '../../contract/src/index.js', 'terminal-imports-no-package'],
  [
    'packages/agents-as-code/src/plan.ts',
    '../../../apps/server/src/version.js',
    'agents-as-code-is-a-client',
  ],
  ['packages/agents-as-code/src/plan.ts', '../../agent-tests/src/index.js', 'agents-as-code-is-a-client'],
  ['packages/agent-tests/src/talk.ts', '../../../apps/server/src/version.js', 'agent-tests-are-a-client'],
  ['packages/sdk/src/client.ts', '../../contract/src/index.js', 'sdk-imports-no-package'],
  ['packages/sdk/src/client.ts', '../../../apps/server/src/domain/error.js', 'sdk-imports-no-package'],
  ['packages/sdk/src/client.ts', 'node:fs', 'sdk-imports-no-node-builtins'],
]

const right: readonly (readonly [from: string, to: string])[] = [
  ['apps/server/src/wiring/service.ts', '../adapters/system/clock.js'],
  ['apps/server/src/wiring/models.ts', '../adapters/system/clock.js'],
  ['apps/server/src/main.ts', './config.js'],
  ['apps/server/src/edge/http/context.ts', '../../domain/error.js'],
  ['apps/server/src/edge/http/context.ts', '../terminal/announce.js'],
  ['apps/server/src/edge/http/context.ts', 'fastify'],
  ['apps/server/src/edge/terminal/announce.ts', '../../config.js'],
  ['apps/server/src/domain/b/b.ts', '../c/c.js'],
  ['apps/server/src/domain/b/b.ts', '../../ports/time.js'],
  ['apps/server/src/adapters/system/clock.ts', '../../ports/time.js'],
  ['apps/server/src/adapters/mcp-tools/links.ts', '../outbound/fetch.js'],
  ['apps/server/src/adapters/database/handle.ts', '@parley/contract'],
  ['apps/server/src/adapters/embedded-engine/thread.ts', '@parley/engine'],
  ['apps/server/src/ports/clock.ts', 'node:net'],
  ['packages/contract/src/operations/index.ts', '../operation.js'],
  ['apps/talk/src/main.ts', '@parley/contract'],
  ['packages/agents-as-code/src/files.ts', '../../sdk/src/index.js'],
  ['packages/agent-tests/src/stage.ts', '../../agents-as-code/src/index.js'],
]

const cycles: readonly Import[] = [
  ['packages/engine/src/one.ts', './other.js', 'no-cycle'],
  ['packages/engine/src/other.ts', './one.js', 'no-cycle'],
  ['apps/server/src/domain/d/d.ts', '../e/e.js', 'no-folder-cycle'],
  ['apps/server/src/domain/e/again.ts', '../d/back.js', 'no-folder-cycle'],
]

const forms = [
  (found: string) => `import { x } from '${found}'`,
  (found: string) => `import {\n  x,\n  y as z,\n} from '${found}'`,
  (found: string) => `import type { X } from '${found}'`,
  (found: string) => `import x, { type Y } from '${found}'`,
  (found: string) => `import * as x from "${found}"`,
  (found: string) => `import '${found}'`,
  (found: string) => `export { x } from '${found}'`,
  (found: string) => `export type { X } from '${found}'`,
  (found: string) => `export * from '${found}'`,
  (found: string) => `const x = await import('${found}')`,
  (found: string) => `type X = import('${found}').X`,
  (found: string) => `const x = require('${found}')`,
  (found: string) => `new Worker(new URL('${found}', import.meta.url))`,
]

describe('imports between packages and layers [HOUSE-1]', () => {
  const asType = (found: string) => `import type { X } from '${found}'`

  const to = '../edge/context.js'
  const planted = forms.map((form, index) => ({
    from: `apps/server/src/domain/f${index}.ts`,
    line: form(to),
    to,
  }))
  const comment = {
    from: 'apps/server/src/domain/comment.ts',
    line: `// import '${to}'\n/* ${asType(to)} */`,
    to,
  }
  let here: readonly string[]
  let lines: readonly string[]
  let nothing: readonly string[]

  beforeAll(() => {
    const imports = [...wrong, ...right, ...cycles]
    const allImports = imports.map(([from, to]) => ({ from, line: asType(to), to }))
    // Creates a project with mistakes and one without files besides the real one. One process checks all of
    // them.
    ;[here = [], lines = [], nothing = []] = check([...allImports, ...planted, comment], [])
  }, 120_000)

  test('follow the allowed directions, without cycles, and only use declared packages [TRACE-5]', () => {
    expect(here).toEqual([expect.stringMatching(/^Imports: \d{3,} files, 0 forbidden\.$/)])
  })

  test('are rejected or accepted as expected', () => {
    const found = (rule: string, from: string) => lines.filter((line) => line.startsWith(`${rule}: ${from}`))
    for (const [from, to, rule] of wrong) {
      const name = to.startsWith('.')
        ? posix.join(posix.dirname(from), to).replace(/\.js$/, '.ts')
        : to.replace('node:', '')
      expect(found(rule, `${from} → `).join(), `${from} to ${to}`).toContain(name)
    }
    for (const [from] of right) expect(lines.filter((line) => line.includes(`: ${from}`))).toEqual([])
    expect(found('no-cycle', 'packages/engine/src/one.ts → packages/engine/src/other.ts')).toHaveLength(1)
    expect(found('no-folder-cycle', 'apps/server/src/domain/d → apps/server/src/domain/e')).toHaveLength(1)
  })

  test('are found in every syntax and ignored in comments', () => {
    const ofForms = lines.filter((line) => /: apps\/server\/src\/domain\/(?:f\d+|comment)\.ts/.test(line))
    expect([...ofForms].sort()).toEqual(
      planted.map(({ from }) => `domain-knows-ports: ${from} → apps/server/src/edge/context.ts`).sort(),
    )
  })

  test('fail the check if no files were read', () => {
    expect(nothing).toEqual(['dependency-cruiser saw 0 of 0 files', 'Imports: 0 files, 1 forbidden.'])
  })
})

interface Planted {
  readonly from: string
  readonly line: string
  readonly to: string
}

/**
 * Returns the findings for the real sources and for projects with these lines. The import targets are empty
 * files.
 */
function check(...projects: readonly (readonly Planted[])[]): string[][] {
  const folder = mkdtempSync(join(tmpdir(), 'parley-imports-'))
  try {
    const roots = projects.map((planted, index) => plant(join(folder, `${index}`), planted))
    const { status, lines } = run('scripts/check-imports.mjs', top, ...roots)
    expect(status).toBe(1)
    const ends = lines.flatMap((line, index) => (line.startsWith('Imports: ') ? [index + 1] : []))
    return ends.map((end, index) => lines.slice(ends[index - 1] ?? 0, end))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function plant(folder: string, planted: readonly Planted[]): string {
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text, { flag: 'a' })
  }
  write('package.json', JSON.stringify({ workspaces }))
  for (const name of workspaces) {
    write(`${name}/package.json`, JSON.stringify(readJson(`${name}/package.json`)))
    mkdirSync(join(folder, name, 'src'), { recursive: true })
  }
  for (const { from, line, to } of planted) {
    write(from, `${line}\n`)
    if (to.startsWith('.')) write(posix.join(posix.dirname(from), to).replace(/\.js$/, '.ts'), '')
  }
  return folder
}
