import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { runCommand, spawnProgram } from '../../support/cli/run-command.js'
import { slow } from '../../support/process/parley-process.js'

const run = (...args: string[]) => runCommand(args, { env: {}, cwd: tmpdir() })

test.each([
  [['strat'], 'Did you mean start?', 'Run parley --help for usage.'],
  [['keys', 'list'], 'Did you mean key?', 'Run parley --help for usage.'],
  [['org', 'creat'], 'Did you mean create?', 'Run parley org --help for usage.'],
  [
    ['key', 'create', '--scope', 'agent:read'],
    'Did you mean --scopes?',
    'Run parley key create --help for usage.',
  ],
  [['frobnicate'], "unknown command 'frobnicate'", 'Run parley --help for usage.'],
  [['start', '--port', '9000'], "unknown option '--port'", 'Run parley start --help for usage.'],
  [['key', 'delete'], "missing required argument 'id'", 'Run parley key delete --help for usage.'],
])(
  'parley %j suggests the probable command and the help to read [CLI-10]',
  slow,
  async (args, hint, help) => {
    const { code, stdout, stderr } = await run(...args)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(hint)
    expect(stderr).toContain(help)
  },
)

test('a reader that closes early, such as head, is not an error [CLI-12]', slow, async () => {
  const child = spawnProgram(['--help'], { env: {}, cwd: tmpdir() })
  child.stdout.destroy()
  const [errorText, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  expect([errorText, code]).toEqual(['', 0])
})
