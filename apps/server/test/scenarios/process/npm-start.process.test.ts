import { execFile } from 'node:child_process'
import { cp, mkdir, symlink, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, expect, test } from 'vitest'
import { cleanUp, newDirectory, slow } from '../../support/process/parley-process.js'
import { inTerminal } from '../../support/process/terminal.js'

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
    for (const name of [
      'apps/server',
      'apps/console',
      'apps/talk',
      'packages/sdk',
      'packages/embedded-database',
    ])
      await symlink(join(project, name), join(folder, name))
  } else
    for (const path of ['apps/server/bin', 'apps/console/scripts', 'packages/embedded-database/scripts'])
      await cp(join(project, path), join(folder, path), { recursive: true })
  await mkdir(join(folder, 'node_modules'))
  await symlink(join(project, 'node_modules', '@electric-sql'), join(folder, 'node_modules', '@electric-sql'))
  if (compiler !== undefined) await write('node_modules/typescript/bin/tsc', compiler)
  return folder
}

/** Runs a script with --help, so that it prints help instead of starting a service or a conversation. */
async function start(checkout: Checkout, name = 'start.mjs') {
  const script = join(await newCheckout(checkout), 'scripts', name)
  return new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) =>
    execFile(process.execPath, [script, '--help'], (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, stdout, stderr }),
    ),
  )
}

const started = { code: 0, stdout: expect.stringMatching(/^Usage: parley start/) }

const compiler = "process.stderr.write('compiles ' + process.argv.slice(2).join(' '))"

test(
  'npm start names the steps of a build, one on each line without a terminal [START-7]',
  slow,
  async () => {
    const { stderr, ...outcome } = await start({ compiler })
    expect(outcome).toEqual(started)
    expect(stderr).toMatch(
      /^Building: compiling\ncompiles -b .*packages\/contract .*packages\/sdkBuilding: bundling .*\nBuilt in \d+ s\.\n$/,
    )
  },
)

test('npm run talk names the steps of a build [START-7]', slow, async () => {
  const { code, stdout, stderr } = await start({ compiler }, 'talk.mjs')
  expect([code, stdout]).toEqual([0, expect.stringContaining('--say <text>')])
  expect(stderr).toMatch(/^Building: compiling\ncompiles -b .*apps\/talkBuilding: bundling/)
})

test('npm start shows the step and the seconds on one line of a terminal [START-7]', slow, async () => {
  const script = join(await newCheckout({ compiler }), 'scripts', 'start.mjs')
  const [command = '', ...args] = inTerminal(`exec ${process.execPath} ${script} --help`)
  const { stdout } = await promisify(execFile)(command, args, {
    env: { PATH: process.env.PATH, TERM: 'xterm' },
  })
  const clearLine = '\r\u001b[2K'
  expect(stdout.startsWith(`${clearLine}Building… 0 s (compiling)`)).toBe(true)
  expect(stdout).toMatch(/Building… \d+ s \(bundling .*Built in \d+ s\.\r?\nUsage: parley start/s)
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
