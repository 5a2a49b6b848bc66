import { describe, expect, it } from 'vitest'
import { type Command, readCommand } from '#talk/command-line.js'

const environment = { ORG: 'an organization', KEY: 'a key' }

function optionsOf(command: Command) {
  if (command.kind !== 'talk') throw new Error(`It is no conversation but ${JSON.stringify(command)}.`)
  return command.options
}

describe('the command line', () => {
  it('needs nothing but credentials', () => {
    expect(optionsOf(readCommand([], environment))).toEqual({
      url: 'http://127.0.0.1:8080',
      organizationId: 'an organization',
      apiKey: 'a key',
      agent: null,
      conversationId: null,
      speech: null,
      savePath: null,
      isApprovingAll: false,
    })
  })

  it('takes credentials from its arguments before the environment', () => {
    const options = optionsOf(readCommand(['--org', 'mine', '--key', 'my own'], environment))
    expect(options).toMatchObject({ organizationId: 'mine', apiKey: 'my own' })
  })

  it.each([{ ORG: 'an organization' }, { KEY: 'a key' }, { ORG: '', KEY: 'a key' }])(
    'says what to do where credentials are missing: %j',
    (incomplete) => {
      expect(readCommand([], incomplete)).toMatchObject({
        kind: 'mistake',
        message: expect.stringMatching(/^Say who you are: export ORG=.* KEY=.*--org and --key\.$/),
      })
    },
  )

  it('reads files from where the person stands', () => {
    const args = ['--wav', 'question.wav', '--save', '/tmp/answer.wav']
    const options = optionsOf(readCommand(args, { ...environment, INIT_CWD: '/home/somebody' }))
    expect(options.speech).toEqual({ kind: 'wav', path: '/home/somebody/question.wav' })
    expect(options.savePath).toBe('/tmp/answer.wav')
  })

  it('looks for the service where its settings put it', () => {
    const atPort = { ...environment, HOST: '::', PORT: '8085' }
    expect(optionsOf(readCommand([], atPort)).url).toBe('http://[::1]:8085')
    expect(optionsOf(readCommand([], { ...atPort, HOST: '0.0.0.0' })).url).toBe('http://127.0.0.1:8085')
  })

  it('takes the slash off the address', () => {
    expect(optionsOf(readCommand(['--url', 'https://parley.example.com/'], environment)).url).toBe(
      'https://parley.example.com',
    )
  })

  it.each([
    [['--url', '127.0.0.1:8080'], '--url'],
    [['--url', 'ftp://127.0.0.1'], '--url'],
    [['--say', 'a', '--wav', 'b'], 'not both'],
    [['--say', ' '], '--say'],
    [['--sing', 'a'], '--sing'],
    [['hello'], 'hello'],
  ])('names the mistake in %j', (args, named) => {
    expect(readCommand(args, environment)).toMatchObject({
      kind: 'mistake',
      message: expect.stringContaining(named),
    })
  })

  it('helps without credentials', () => {
    expect(readCommand(['--help'], {})).toEqual({ kind: 'help' })
  })
})
