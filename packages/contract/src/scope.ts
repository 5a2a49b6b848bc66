import { z } from 'zod'
import { delegatedScopes, type ScopeName, scopes } from './scope-list.js'

export type Scope = ScopeName

export const Scope = z.enum([...scopes, ...delegatedScopes]).meta({
  id: 'Scope',
  description:
    'What a key may do. Write includes read. `approval:delegate` lets an MCP client decide on tool calls, which is a person’s to do: no role covers it, and an owner or the operator gives it to a key on purpose.',
})
