import { execFile } from 'node:child_process'
import { cp, mkdir, symlink, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { cleanUp, newDirectory, slow } from '../../support/process/parley-process.js'

afterEach(cleanUp)

const project = fileURLToPath(new URL('../../../../../', import.meta.url))
const longAgo = new Date('2020-01-01')

interface Checkout {
  readonly hasSources?: boolean
  readonly hasOutput?: boolean
  /** The stub of the compiler. A production installation has none. */
  readonly compiler?: string
}

/**
 * Creates a folder with this project's `npm start`. Its sources, if any, are newer than their build output.
 */
async function newCheckout({ hasSources = true, hasOutput = true, compiler }: Checkout): Promise<string> {
  const folder = await newDirectory()
  const write = async (path: string, text = '') => {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  await cp(join(project, 'scripts'), join(folder, 'scripts'), { recursive: true })
  for (const name of ['packages/contract', 'packages/engine']) {
    if (hasSources) await write(`${name}/src/index.ts`)
    if (!hasOutput) continue
    await write(`${name}/dist/.tsbuildinfo`)
    await utimes(join(folder, name, 'dist', '.tsbuildinfo'), longAgo, longAgo)
  }
  if (hasOutput) {
    await mkdir(join(folder, 'apps'))
    await mkdir(join(folder, 'packages'), { recursive: true })
    for (const name of ['apps/server', 'apps/console', 'packages/sdk', 'packages/embedded-database'])
      await symlink(join(project, name), join(folder, name))
  } else
    for (const path of ['apps/server/bin', 'apps/console/scripts', 'packages/embedded-database/scripts'])
      await cp(join(project, path), join(folder, path), { recursive: true })
  await mkdir(join(folder, 'node_modules'))
  await symlink(join(project, 'node_modules', '@electric-sql'), join(folder, 'node_modules', '@electric-sql'))
  if (compiler !== undefined) await write('node_modules/typescript/bin/tsc', compiler)
  return folder
}

/** Runs `npm start` with --help, so that it prints help instead of starting a service. */
async function start(checkout: Checkout) {
  const script = join(await newCheckout(checkout), 'scripts', 'start.mjs')
  return new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) =>
    execFile(process.execPath, [script, '--help'], (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, stdout, stderr }),
    ),
  )
}

const started = { code: 0, stdout: expect.stringMatching(/^Usage: parley start/) }

test('npm start announces a build if a source is newer than its output [START-7]', slow, async () => {
  const compiler = "process.stderr.write('compiles ' + process.argv.slice(2).join(' '))"
  const { stderr, ...outcome } = await start({ compiler })
  expect(outcome).toEqual(started)
  expect(stderr).toMatch(
    /^Building \(only after a change\) …\ncompiles -b .*packages\/contract .*packages\/sdk$/,
  )
})

test.each([
  ['newer sources and no compiler', {}],
  ['only build output', { hasSources: false }],
])('npm start does not mention building with %s [START-7]', slow, async (_name, checkout) => {
  expect(await start(checkout)).toEqual({ ...started, stderr: '' })
})

test(
  'npm start explains what is missing if nothing is built and no compiler is installed [START-7]',
  slow,
  async () => {
    const { code, stdout, stderr } = await start({ hasOutput: false })
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^The build failed: nothing is built, and the compiler is not installed/)
  },
)
