import { ApiError } from '@parley/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useConsole } from '../../data/console-context'
import { fieldErrorsOf } from '../../data/error-words'
import {
  type AgentDraft,
  type AgentVersion,
  changedFields,
  draftOf,
  emptyDraft,
  patchOf,
  rebase,
} from './agent-draft'
import { agentMistakes, type Mistakes } from './agent-mistakes'

export interface AgentEditing {
  readonly draft: AgentDraft
  /** What the draft is compared with; null for an agent that is not saved yet. */
  readonly base: AgentVersion | null
  readonly isDirty: boolean
  readonly mistakes: Mistakes
  readonly change: (fields: Partial<AgentDraft>) => void
  readonly discard: () => void
  readonly save: () => void
  readonly isSaving: boolean
  /** What the service said to the last save, where it is not shown otherwise. */
  readonly error: unknown
  /** What somebody else has saved since; null while nobody has. */
  readonly newer: AgentVersion | null
  readonly keepMine: () => void
  readonly takeTheirs: () => void
}

/** What each tab of the editor works on. */
export interface TabProps {
  readonly editing: AgentEditing
  readonly isReadOnly: boolean
}

export const versionKey = (agentId: string) => ['Agent', agentId, 'version']

/** The state of the editor. `latest` is what the service has now, as far as is known. */
export function useAgentEditor(
  latest: AgentVersion | null,
  onSaved: (saved: AgentVersion, isNew: boolean) => void,
): AgentEditing {
  const { parley } = useConsole()
  const queries = useQueryClient()
  const [base, setBase] = useState(latest)
  const [draft, setDraft] = useState(() => startOf(latest))
  const [refused, setRefused] = useState<Refusal | null>(null)
  const [wasTried, setTried] = useState(false)
  const start = startOf(base)
  const changed = changedFields(start, draft)

  const adopt = (version: AgentVersion | null, next: AgentDraft) => {
    setBase(version)
    setDraft(next)
    setRefused(null)
    setTried(false)
  }
  const isNewer = latest !== null && base !== null && latest.agent.updatedAt > base.agent.updatedAt
  // Whoever has written nothing sees what the others do.
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
      setRefused({ draft, errors: fieldErrorsOf(error) })
      if (isOutdated(error)) void queries.invalidateQueries({ queryKey: ['Agent'] })
    },
  })

  const found = agentMistakes(draft)
  const shown = Object.entries(found).filter(([path]) => wasTried || changed.some((name) => isOf(path, name)))
  return {
    draft,
    base,
    isDirty: changed.length > 0,
    mistakes: { ...stillWrong(refused, draft), ...Object.fromEntries(shown) },
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

interface Refusal {
  readonly draft: AgentDraft
  readonly errors: Mistakes
}

function startOf(version: AgentVersion | null): AgentDraft {
  return version === null ? emptyDraft : draftOf(version.agent)
}

const isOutdated = (error: unknown) => error instanceof ApiError && error.status === 412

const isOf = (path: string, field: string) => path.match(/^\w+/)?.[0] === field

/** What the service has refused is wrong until it is changed. */
function stillWrong(refused: Refusal | null, draft: AgentDraft): Mistakes {
  if (refused === null) return {}
  const before = new Map<string, unknown>(Object.entries(refused.draft))
  const kept = Object.entries(refused.errors).filter(([path]) => {
    const index = path.match(/^tools\[(\d+)\]/)?.[1]
    if (index !== undefined) return draft.tools[Number(index)] === refused.draft.tools[Number(index)]
    return Object.entries(draft).every(([name, value]) => !isOf(path, name) || before.get(name) === value)
  })
  return Object.fromEntries(kept)
}
