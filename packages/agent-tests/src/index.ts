export {
  type AgentTestParts,
  type OwnService,
  runTestCommand,
  type TestOptions,
} from './commands.js'
export type { TextService } from './exchange.js'
export { type Player, startPlayer } from './replay/player.js'
export { type RecordedLine, readRecording, wireForm } from './replay/recorded-line.js'
export { startRecorder } from './replay/recorder.js'
export type { TestOutcome } from './run-tests.js'
export { readStoredTests, runStoredTests } from './stored-tests.js'
