export { applyPlan } from './apply-plan.js'
export {
  connect,
  type FilesContext,
  failureOfFiles,
  runApply,
  runExport,
  runPlan,
  type ServiceOptions,
  variablesOf,
} from './commands.js'
export { readDesiredState } from './desired-state.js'
export { type Environment, fillIn, type ValueError, type Variables } from './environment-values.js'
export { makePlan } from './make-plan.js'
export { findFiles, readSource } from './source-file.js'
export {
  type FileError,
  FileErrors,
  type FoundFile,
  readYamlFile,
  readYamlText,
  schemaErrors,
  type YamlFile,
} from './yaml-file.js'
