/** A command that a test cannot run, and the reason. */
type Unrun = readonly [command: RegExp, reason: string]

/** The commands of README.md and docs/guide that no test runs as they are written. */
export const unrunCommands: readonly Unrun[] = [
  [/^npm ci && npm start/, 'installs packages and does not end; npm-start and first-start tests run it'],
  [/^(?:\w+=\S+ )+npm start/, 'needs a provider account or a model server'],
  [/^export PARLEY_URL=\S+ PARLEY_ORG_ID='/, 'has the values of the reader'],
  [/^npm run talk /, 'loads the speech models; talk.speech.test.ts runs it'],
  [/^npx parley test /, 'speaks for a minute; example-agent-tests.process.test.ts runs the examples'],
  [
    /Agent\/\$PARLEY_AGENT_ID\/test(?:-run|")/,
    'needs a file of tests; agent-tests.service.test.ts runs them',
  ],
  [/^(?:node|npx vite) examples\//, 'does not end; the tests of scenarios/sdk run the examples'],
  [
    /^docker |^cd deploy\/compose$|^cp env\.example /,
    'needs Docker; image.process.test.ts builds the image without it',
  ],
  [/^kubectl |^helm /, 'needs a cluster; kubernetes.test.ts checks the manifests'],
  [/^sudo /, 'changes the machine as root; deploy-files.test.ts checks the files'],
  [/^(?:parley\(\) \{|parley |build=)/, 'needs the installed systemd unit'],
  [
    /^(?:psql|pg_dump|redis-server) /,
    'needs a PostgreSQL or Redis installation; postgres-backup.process.test.ts restores a dump',
  ],
  [/^[A-Z_]+=\S+$/, 'is a line of a settings file'],
  [/^curl -fs https:/, 'needs a domain'],
  [/ npm run acceptance$/, 'needs a deployment; the tests of qa/acceptance run it'],
]

export interface DocumentedCommand {
  readonly text: string
  /** The reason why no test runs it, or null. */
  readonly unrunReason: string | null
}

/** Returns the commands of each `sh` block of a page. */
export function shellBlocksIn(page: string): readonly (readonly DocumentedCommand[])[] {
  return [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) =>
    // Lines that begin with a space or a closing bracket continue the command above them.
    block.split(/\n(?![\s})]|$)/).map((text) => {
      const bare = text.replace(/\s+#.*$/, '').trimEnd()
      return { text, unrunReason: unrunCommands.find(([pattern]) => pattern.test(bare))?.[1] ?? null }
    }),
  )
}

/** Returns the text of each block that has commands to run. */
export function runnableBlocksIn(page: string): string[] {
  return shellBlocksIn(page)
    .map((block) => block.flatMap(({ text, unrunReason }) => (unrunReason === null ? [text] : [])).join('\n'))
    .filter((block) => block !== '')
}
