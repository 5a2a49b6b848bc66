import { variables } from '@parley/agents-as-code/command-line'
import { type Command, InvalidArgumentError } from 'commander'
import type { TestOptions } from './commands.js'

export interface TestCommands {
  testAgents(paths: readonly string[], options: TestOptions): Promise<void>
}

export function addTestCommand(
  program: Command,
  commands: TestCommands,
  json: (command: Command) => Command,
): void {
  variables(json(program.command('test')))
    .description('Run agent tests; exit code 0: passed, 1: failed, 2: could not run')
    .argument('<paths...>', "Files, folders, or a pattern such as 'agents/*.test.yaml'")
    .option('--agents <paths...>', 'Files of the agents; defaults to the folders of the tests')
    .option('--url <address>', 'Test the agents of a running service instead of a temporary one')
    .option('--org <id>', 'Organization ID for --url; defaults to $PARLEY_ORG_ID')
    .option('--key <key>', 'API key for --url; defaults to $PARLEY_API_KEY')
    .option('--only <text>', 'Run only tests whose names contain this text')
    .option('--parallel <count>', 'Number of parallel text conversations (default: 4)', count)
    .option('--parallel-voice <count>', 'Number of parallel voice conversations (default: 1)', count)
    .option('--judge <agent>', 'Agent that judges answers, if a test uses a judge')
    .option('--user <agent>', 'Agent that plays users with a goal; defaults to the judge')
    .option('--record <folder>', 'Record provider responses to this folder, without secrets')
    .option('--replay <folder>', 'Replay recorded provider responses; no provider is called')
    .option('--junit <file>', 'Also write a JUnit report for CI systems')
    .addHelpText(
      'after',
      '\nWithout --url, the command starts a temporary service for the tests and removes it afterwards. Tools are never\n' +
        'called: a tool call without a stub in the test fails. See docs/guide/testing-agents.md.',
    )
    .action((paths, options) => commands.testAgents(paths, options))
}

const maxConcurrent = 64

function count(text: string): number {
  const number = Number(text)
  if (Number.isInteger(number) && number >= 1 && number <= maxConcurrent) return number
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${maxConcurrent}.`)
}
