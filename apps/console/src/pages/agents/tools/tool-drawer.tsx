import { Alert, Skeleton, Tabs } from '@mantine/core'
import type { AgentTool } from '@parley/sdk'
import { lazy, Suspense, useState } from 'react'
import { FormDrawer } from '../../../parts/form-drawer'
import { isSame } from '../agent-draft'
import { EditorMissing } from './editor-missing'
import { readTool } from './read-tool'
import { newTool, type ToolDraft } from './tool-draft'
import { type FieldErrors, validateTool } from './tool-errors'
import { ToolForm } from './tool-form'

const JsonEditor = lazy(() => import('./json-editor').catch(() => ({ default: EditorMissing })))

interface ToolDrawerProps {
  /** Null for a new tool. */
  readonly tool: ToolDraft | null
  readonly others: readonly ToolDraft[]
  readonly saved: readonly AgentTool[]
  /** The service's validation errors. */
  readonly rejected: FieldErrors
  readonly isReadOnly: boolean
  readonly onClose: () => void
  readonly onDone: (tool: ToolDraft) => void
}

/** Edits a tool as a form or as JSON. Both share one state. */
export function ToolDrawer({
  tool: before,
  others,
  saved,
  rejected,
  isReadOnly,
  onClose,
  onDone,
}: ToolDrawerProps) {
  const [start] = useState(() => before ?? newTool('http'))
  const [tool, setTool] = useState(start)
  const [json, setJson] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [tab, setTab] = useState<string | null>('form')
  const [wasTried, setTried] = useState(false)
  const found = validateTool(tool, others)
  const isWhole = Object.keys(found).length === 0 && problem === null
  const errors = {
    ...(tool === before && rejected),
    ...(before !== null || wasTried ? found : touchedOnly(found, tool)),
  }
  const show = (next: string | null) => {
    setJson(JSON.stringify(tool, null, 2))
    setTab(next)
  }
  const write = (text: string) => {
    setJson(text)
    const read = readTool(text)
    setProblem(read.ok ? null : read.message)
    if (read.ok) setTool(read.tool)
  }
  const wrongInJson =
    problem ??
    Object.entries(errors)
      .map(([path, text]) => `${path}: ${text}`)
      .join(' · ')
  return (
    <FormDrawer
      title={titleOf(before, isReadOnly)}
      action={before === null ? 'Add tool' : 'Apply'}
      isOpen
      onClose={onClose}
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (isWhole) onDone(tool)
      }}
      isBusy={false}
      isDirty={!isReadOnly && (problem !== null || !isSame(tool, start))}
      isReadOnly={isReadOnly}
    >
      <Tabs value={tab} onChange={show} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="form" disabled={problem !== null}>
            Form
          </Tabs.Tab>
          <Tabs.Tab value="json">JSON</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="form">
          <ToolForm tool={tool} saved={saved} errors={errors} isReadOnly={isReadOnly} onChange={setTool} />
        </Tabs.Panel>
        <Tabs.Panel value="json">
          <Suspense fallback={<Skeleton h={420} />}>
            <JsonEditor
              label="Tool JSON"
              value={json}
              isReadOnly={isReadOnly}
              onChange={write}
              height="26rem"
            />
          </Suspense>
          {wrongInJson !== '' && (
            <Alert color="red" mt="xs" role="status">
              {wrongInJson}
            </Alert>
          )}
        </Tabs.Panel>
      </Tabs>
    </FormDrawer>
  )
}

function titleOf(before: ToolDraft | null, isReadOnly: boolean): string {
  if (before === null) return 'New tool'
  return isReadOnly ? `Tool ${before.name}` : `Edit ${before.name}`
}

/** Untouched fields show no errors. */
function touchedOnly(found: FieldErrors, tool: ToolDraft): FieldErrors {
  const fresh = newTool(tool.kind)
  const touched = Object.entries(found).filter(([path]) => !isSame(valueAt(tool, path), valueAt(fresh, path)))
  return Object.fromEntries(touched)
}

function valueAt(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, name) => {
    return typeof inner === 'object' && inner !== null ? new Map(Object.entries(inner)).get(name) : undefined
  }, value)
}
