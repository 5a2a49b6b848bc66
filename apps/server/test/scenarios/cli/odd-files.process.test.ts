import { execFileSync } from 'node:child_process'
import { mkdtemp, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { runCommand } from '../../support/cli/run-command.js'

let [folder, elsewhere] = ['', '']

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-odd-'))
  elsewhere = await mkdtemp(join(tmpdir(), 'parley-elsewhere-'))
  await writeFile(join(elsewhere, 'secret'), 'root: hidden-line\n')
})

const commands = ['plan', 'test'] as const
type Command = (typeof commands)[number]

const nameFor = (command: Command) => (command === 'plan' ? 'a.yaml' : 'a.test.yaml')

/**
 * Returns everything that the command prints. It reads files before it calls the service, which does not
 * exist.
 */
async function run(command: Command, path = folder): Promise<string> {
  const env = { ORG: '01a1de5c-bd02-7c30-8fd5-792c5d3c8d1e', KEY: 'prl_key' }
  const args = [command, path, '--url', 'http://127.0.0.1:1']
  const { code, stdout, stderr } = await runCommand(args, { env, cwd: folder })
  expect(code).not.toBe(0)
  return stdout + stderr
}

test.each(commands)(
  'parley %s does not follow a symbolic link inside a folder [CODE-14]',
  async (command) => {
    const link = join(folder, nameFor(command))
    await symlink(join(elsewhere, 'secret'), link)
    const inFolder = await run(command)
    expect(inFolder).toContain(`${nameFor(command)}:1:1: is a symbolic link.`)
    expect(inFolder).not.toContain('hidden-line')
    // A path on the command line may be a link.
    expect(await run(command, link)).toContain('root')
  },
)

test.each(commands)('parley %s rejects devices and pipes without reading them [CODE-14]', async (command) => {
  const pipe = join(folder, nameFor(command))
  execFileSync('mkfifo', [pipe])
  expect(await run(command)).toContain(`${nameFor(command)}:1:1: is not a regular file.`)
  expect(await run(command, pipe)).toContain('is not a regular file.')
  const device = join(elsewhere, nameFor(command))
  await symlink('/dev/zero', device)
  expect(await run(command, device)).toContain('is not a regular file.')
})

test.each(commands)('parley %s reads at most 5 MiB of a file [CODE-14]', async (command) => {
  const path = join(folder, nameFor(command))
  await writeFile(path, 'x')
  await truncate(path, 8 * 1024 ** 3)
  expect(await run(command)).toContain(`${nameFor(command)}:1:1: is larger than 5 MiB.`)
})

test.each(commands)('parley %s names the file whose aliases expand too far [CODE-14]', async (command) => {
  const levels = Array.from({ length: 9 }, (_, level) => {
    const value = level === 0 ? 'x' : `*a${level - 1}`
    return `a${level}: &a${level} [${Array(9).fill(value).join(', ')}]`
  })
  await writeFile(join(folder, nameFor(command)), levels.join('\n'))
  expect(await run(command)).toContain(
    `${nameFor(command)}:1:1: is not readable as YAML: Excessive alias count`,
  )
})
