import { setFlagsFromString } from 'node:v8'

/**
 * How much of a function of WebAssembly runs before it is compiled a second time, optimized. V8's own figure is 1 800 000,
 * which much of PostgreSQL reaches while it starts: optimizing took 1.5 s of processor time at every start, 3 s at the
 * first. A loop of inserts, lists and updates was as fast with either figure after its first seconds.
 */
const tieringBudget = 1_000_000_000

/** To be called before the database is compiled: its code keeps the figure of that moment. */
export function postponeOptimizing(): void {
  setFlagsFromString(`--wasm-tiering-budget=${tieringBudget}`)
}
