import { z } from 'zod'
import { type ScopeName, scopes } from './scope-list.js'

export type Scope = ScopeName

export const Scope = z
  .enum(scopes)
  .meta({ id: 'Scope', description: 'What a key may do. Write includes read.' })
