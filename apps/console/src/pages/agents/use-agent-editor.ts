import { ApiError } from '@parley/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useConsole } from '../../data/console-context'
import { fieldErrorsOf } from '../../data/error-message'
import {
  type AgentDraft,
  type AgentVersion,
  changedFields,
  draftOf,
  emptyDraft,
  patchOf,
  rebase,
} from './agent-draft'
import { type FieldErrors, validateAgent } from './agent-errors'

export interface AgentEditing {
  readonly draft: AgentDraft
  /** The base of the draft. Null for a new agent. */
  readonly base: AgentVersion | null
  readonly isDirty: boolean
  readonly errors: FieldErrors
  readonly change: (fields: Partial<AgentDraft>) => void
  readonly discard: () => void
  readonly save: () => void
  readonly isSaving: boolean
  /** The last save's error, if no field shows it. */
  readonly error: unknown
  /** The version that another user has saved since loading, or null. */
  readonly newer: AgentVersion | null
  readonly keepMine: () => void
  readonly takeTheirs: () => void
}

/** Props of every tab of the editor. */
export interface TabProps {
  readonly editing: AgentEditing
  readonly isReadOnly: boolean
}

export const versionKey = (agentId: string) => ['Agent', agentId, 'version']

/** The editor's state. `latest` is the newest known version. */
export function useAgentEditor(
  latest: AgentVersion | null,
  onSaved: (saved: AgentVersion, isNew: boolean) => void,
): AgentEditing {
  const { parley } = useConsole()
  const queries = useQueryClient()
  const [base, setBase] = useState(latest)
  const [draft, setDraft] = useState(() => startOf(latest))
  const [rejected, setRejected] = useState<RejectedSave | null>(null)
  const [wasTried, setTried] = useState(false)
  const start = startOf(base)
  const changed = changedFields(start, draft)

  const adopt = (version: AgentVersion | null, next: AgentDraft) => {
    setBase(version)
    setDraft(next)
    setRejected(null)
    setTried(false)
  }
  const isNewer = latest !== null && base !== null && latest.agent.updatedAt > base.agent.updatedAt
  // Without local changes, the editor follows the saved version.
  if (isNewer && changed.length === 0) adopt(latest, draftOf(latest.agent))

  const saving = useMutation({
    mutationFn: async (): Promise<AgentVersion> => {
      const call =
        base === null
          ? parley.agents.create(draft)
          : parley.agents.patch(base.agent.id, patchOf(start, draft), { ifMatch: base.etag ?? undefined })
      const { data, etag } = await call.withResponse()
      return { agent: data, etag }
    },
    onSuccess: async (saved) => {
      await queries.cancelQueries({ queryKey: versionKey(saved.agent.id) })
      queries.setQueryData(versionKey(saved.agent.id), saved)
      void queries.invalidateQueries({ queryKey: ['Agent'] })
      adopt(saved, draftOf(saved.agent))
      onSaved(saved, base === null)
    },
    onError: (error) => {
      setRejected({ draft, errors: fieldErrorsOf(error) })
      if (isOutdated(error)) void queries.invalidateQueries({ queryKey: ['Agent'] })
    },
  })

  const found = validateAgent(draft)
  const shown = Object.entries(found).filter(([path]) => wasTried || changed.some((name) => isOf(path, name)))
  return {
    draft,
    base,
    isDirty: changed.length > 0,
    errors: { ...stillWrong(rejected, draft), ...Object.fromEntries(shown) },
    change: (fields) => setDraft((before) => ({ ...before, ...fields })),
    discard: () => {
      saving.reset()
      adopt(base, start)
    },
    save: () => {
      setTried(true)
      if (Object.keys(found).length === 0 && !saving.isPending) saving.mutate()
    },
    isSaving: saving.isPending,
    error: isOutdated(saving.error) ? null : saving.error,
    newer: isNewer ? latest : null,
    keepMine: () => latest && adopt(latest, rebase(draft, start, draftOf(latest.agent))),
    takeTheirs: () => latest && adopt(latest, draftOf(latest.agent)),
  }
}

interface RejectedSave {
  readonly draft: AgentDraft
  readonly errors: FieldErrors
}

function startOf(version: AgentVersion | null): AgentDraft {
  return version === null ? emptyDraft : draftOf(version.agent)
}

const isOutdated = (error: unknown) => error instanceof ApiError && error.status === 412

const isOf = (path: string, field: string) => path.match(/^\w+/)?.[0] === field

/** A server-side error stays until the field changes. */
function stillWrong(rejected: RejectedSave | null, draft: AgentDraft): FieldErrors {
  if (rejected === null) return {}
  const before = new Map<string, unknown>(Object.entries(rejected.draft))
  const kept = Object.entries(rejected.errors).filter(([path]) => {
    const index = path.match(/^tools\[(\d+)\]/)?.[1]
    if (index !== undefined) return draft.tools[Number(index)] === rejected.draft.tools[Number(index)]
    return Object.entries(draft).every(([name, value]) => !isOf(path, name) || before.get(name) === value)
  })
  return Object.fromEntries(kept)
}
