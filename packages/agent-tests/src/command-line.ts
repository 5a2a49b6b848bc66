import { variables } from '@parley/agents-as-code/command-line'
import { type Command, InvalidArgumentError } from 'commander'
import type { TestOptions } from './commands.js'

export interface TestCommands {
  testAgents(paths: readonly string[], options: TestOptions): Promise<void>
}

/** Adds `parley test`. */
export function addTestCommand(
  program: Command,
  commands: TestCommands,
  json: (command: Command) => Command,
): void {
  variables(json(program.command('test')))
    .description('talk to agents as their tests say; exit code 0 passed, 1 failed, 2 could not be run')
    .argument('<paths...>', "files, folders, or a pattern such as 'agents/*.test.yaml'")
    .option('--agents <paths...>', 'the files of the agents; if left out, those beside the tests')
    .option('--url <address>', 'test the agents of a running service, and start none')
    .option('--org <id>', 'with --url: your organization, else $ORG')
    .option('--key <key>', 'with --url: your API key, else $KEY')
    .option('--only <text>', 'only tests whose names hold this')
    .option('--parallel <count>', 'how many conversations at once in text: 4', count)
    .option('--parallel-voice <count>', 'how many at once by voice: 1', count)
    .option('--judge <agent>', 'the agent that judges where a test says so')
    .option('--user <agent>', 'the agent that plays users with a goal; if left out, the one that judges')
    .option('--record <folder>', 'keep what providers say there, without secrets')
    .option('--replay <folder>', 'have providers say what is kept there; none is asked')
    .option('--junit <file>', 'write the report for CI systems as well')
    .addHelpText(
      'after',
      '\nWithout --url a service is started for the tests alone, and removed with all it has. No tool is really called: what a\n' +
        'test has no stub for fails. See docs/guide/testing-agents.md.',
    )
    .action((paths, options) => commands.testAgents(paths, options))
}

const mostAtOnce = 64

function count(text: string): number {
  const number = Number(text)
  if (Number.isInteger(number) && number >= 1 && number <= mostAtOnce) return number
  throw new InvalidArgumentError(`It must be a number from 1 to ${mostAtOnce}.`)
}
