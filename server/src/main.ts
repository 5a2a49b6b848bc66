import { x } from '@parley/contract'
export const y = x
