import { defaultUrl, readCommand, type Speech, type TalkOptions, usage } from './command-line.js'
import { LineInput } from './line-input.js'
import { harmless, Page } from './page.js'
import { findAgent } from './service-api.js'
import { Talk } from './talk.js'
import { TurnView } from './turn-view.js'

const exitCodes = { fine: 0, failed: 1, notStarted: 2 } as const

// The reader of our output has exited, for example `head`.
process.stdout.on('error', () => process.exit(exitCodes.fine))

const command = readCommand(process.argv.slice(2), process.env)
switch (command.kind) {
  case 'help':
    process.stdout.write(usage)
    break
  case 'usage-error':
    process.exitCode = reject(command.message)
    break
  case 'talk':
    process.exitCode = await run(command.options)
}

async function run(options: TalkOptions): Promise<number> {
  const { env, stdin, stdout } = process
  const page = new Page({
    write: (text) => stdout.write(text),
    isColored: stdout.isTTY === true && !env.NO_COLOR,
  })
  const question = options.speech === null ? null : await load(options.speech)
  if (question?.ok === false) return reject(question.message)
  const agent = await findAgent(options, options.agent)
  if (!agent.ok) return reject(agent.message)

  const view = new TurnView({ page, agent: agent.value })
  const leave = () => {
    input?.close()
    void talk.leave()
  }
  const isTerminal = stdin.isTTY === true && stdout.isTTY === true
  const input =
    question === null || isTerminal
      ? new LineInput({ input: stdin, output: stdout, prompt: `${view.you} `, onInterrupt: leave })
      : null
  if (input !== null) page.attach(input)
  const ask = input?.isTerminal ? input.ask.bind(input) : null
  const onInputClosed = () => {
    page.line(page.paint('yellow', '  ? no decision: the call is still waiting for approval'))
    leave()
  }
  const talk = new Talk({ options, agent: agent.value, page, view, ask, onInputClosed })
  process.once('SIGINT', leave)
  process.once('SIGTERM', leave)

  const opening = await talk.open()
  if (!opening.ok) {
    input?.close()
    return reject(opening.message)
  }
  const isFine =
    question === null
      ? await converse(talk, input, page, view)
      : (await talk.speak(question.value)) === 'answered'
  if (question === null) page.line(page.paint('dim', goOnLater(options.url, talk.conversationId)))
  input?.close()
  await talk.leave()
  return isFine ? exitCodes.fine : exitCodes.failed
}

/** Runs the conversation until the input ends. Returns whether every line was answered. */
async function converse(talk: Talk, input: LineInput | null, page: Page, view: TurnView): Promise<boolean> {
  let isFine = true
  if (input === null) return isFine
  if (input.isTerminal) page.line(page.paint('dim', 'Type a message. Press Ctrl-D or type "exit" to leave.'))
  else await talk.agentFinished()
  for (;;) {
    const line = (await input.next())?.trim()
    if (line === undefined || line === 'exit') break
    if (line === '') continue
    if (!input.isTerminal) page.line(`${view.you} ${line}`)
    const result = await talk.type(line)
    if (result !== 'answered' && !talk.isLeaving) isFine = false
  }
  return isFine || input.isTerminal
}

function goOnLater(url: string, conversationId: string | null): string {
  const address = url === defaultUrl ? '' : ` --url ${url}`
  return `To continue later, run: npm run talk --${address} --conversation ${conversationId}`
}

/** The audio engine loads slowly and is not needed for typed turns. */
async function load(speech: Speech) {
  const { loadQuestion } = await import('./load-question.js')
  return await loadQuestion(speech)
}

function reject(message: string): number {
  process.stderr.write(`${harmless(message)}\n`)
  return exitCodes.notStarted
}
