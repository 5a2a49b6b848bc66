export { exitCodes, type Failure, failureOf, UsageError } from './failure.js'
export { minute, Output, type Streams, type Style, styleFor, table } from './output.js'
export { printable, printableLines } from './printable.js'
