import { describe, expect, it } from 'vitest'
import { type Command, readCommand, usage } from '#talk/command-line.js'

const environment = { PARLEY_ORG_ID: 'an organization', PARLEY_API_KEY: 'a key' }

function optionsOf(command: Command) {
  if (command.kind !== 'talk') throw new Error(`Not a conversation: ${JSON.stringify(command)}.`)
  return command.options
}

describe('the command line', () => {
  it.each(['--help', '-h'])('prints help in the form of the other commands with %s', (flag) => {
    expect(readCommand([flag], {})).toEqual({ kind: 'help' })
    expect(usage).toMatch(/^Usage: parley talk \[options\]\n\nTalk to .*\n\nOptions:\n(?: {2}.*\n)+\n/)
    const options = usage.split('\n').filter((line) => line.startsWith('  '))
    expect(options.filter((line) => line.length > 80)).toEqual([])
    expect(options.at(-1)).toMatch(/^ {2}-h, --help +Print help$/)
  })

  it('needs only credentials', () => {
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

  it.each([
    { PARLEY_ORG_ID: 'an organization' },
    { PARLEY_API_KEY: 'a key' },
    { ...environment, PARLEY_ORG_ID: '' },
  ])('explains how to pass missing credentials: %j', (incomplete) => {
    expect(readCommand([], incomplete)).toMatchObject({
      kind: 'usage-error',
      message: expect.stringMatching(
        /^Credentials are missing\. .*PARLEY_ORG_ID.* PARLEY_API_KEY .*--org and --key\.$/,
      ),
    })
  })

  it("resolves paths relative to the user's folder", () => {
    const args = ['--wav', 'question.wav', '--save', '/tmp/answer.wav']
    const options = optionsOf(readCommand(args, { ...environment, INIT_CWD: '/home/somebody' }))
    expect(options.speech).toEqual({ kind: 'wav', path: '/home/somebody/question.wav' })
    expect(options.savePath).toBe('/tmp/answer.wav')
  })

  it("uses the address of the service's settings", () => {
    const atPort = { ...environment, HOST: '::', PORT: '8085' }
    expect(optionsOf(readCommand([], atPort)).url).toBe('http://[::1]:8085')
    expect(optionsOf(readCommand([], { ...atPort, HOST: '0.0.0.0' })).url).toBe('http://127.0.0.1:8085')
  })

  it('prefers PARLEY_URL to the settings, and ORG and KEY still work', () => {
    const given = { PARLEY_URL: 'https://parley.example.com', PORT: '8085', ORG: 'mine', KEY: 'my own' }
    expect(optionsOf(readCommand([], given))).toMatchObject({
      url: 'https://parley.example.com',
      organizationId: 'mine',
      apiKey: 'my own',
    })
  })

  it('removes the trailing slash of the address', () => {
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
  ])('names the error in %j', (args, named) => {
    expect(readCommand(args, environment)).toMatchObject({
      kind: 'usage-error',
      message: expect.stringContaining(named),
    })
  })

  it('prints help without credentials', () => {
    expect(readCommand(['--help'], {})).toEqual({ kind: 'help' })
  })
})
