import { Button, Drawer, Group, SegmentedControl, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { storedContext } from '../../../data/caller-context'
import { useConsole } from '../../../data/console-context'
import { useChange } from '../../../data/use-change'
import { ErrorNotice } from '../../../parts/error-notice'
import { ArgumentForm } from './argument-form'
import { EditorMissing } from './editor-missing'
import { isSchema } from './parameter-rows'
import { builtinParameters, type ToolDraft } from './tool-draft'
import { TrialOutcome } from './trial-outcome'

const JsonEditor = lazy(() => import('./json-editor').catch(() => ({ default: EditorMissing })))

interface TryToolProps {
  readonly agentId: string
  readonly tool: ToolDraft
  readonly onClose: () => void
}

/** Runs a tool as a model would, as a dry run or for real. */
export function TryTool({ agentId, tool, onClose }: TryToolProps) {
  const { parley, may } = useConsole()
  const properties = propertiesOf(tool)
  const [serverTool, setServerTool] = useState(tool.kind === 'mcp' ? (tool.allowedTools?.[0] ?? '') : '')
  const [view, setView] = useState(Object.keys(properties).length > 0 ? 'form' : 'json')
  const [given, setGiven] = useState<Readonly<Record<string, unknown>>>({})
  const [json, setJson] = useState('{}')
  const read = readArguments(json)
  const name = tool.kind === 'mcp' ? `${tool.name}__${serverTool}` : tool.name
  const trial = useChange({
    change: async (dryRun: boolean) =>
      parley.agents.testTool(
        agentId,
        name,
        { arguments: given, variables: storedContext(agentId).variables, dryRun },
        { timeoutMilliseconds: (tool.timeoutSeconds + 15) * 1000, maxRetries: 0 },
      ),
    changes: [],
    isErrorShown: true,
  })
  const showAs = (next: string) => {
    setJson(JSON.stringify(given, null, 2))
    setView(next)
  }
  const write = (text: string) => {
    setJson(text)
    const next = readArguments(text)
    if (next !== null) setGiven(next)
  }
  const isReady = (view === 'form' || read !== null) && (tool.kind !== 'mcp' || serverTool !== '')
  const mayRun = !tool.approvalRequired || may('approval:decide')
  return (
    <Drawer opened onClose={onClose} title={`Test ${tool.title ?? tool.name}`} position="right" size="lg">
      <Stack>
        {tool.kind === 'mcp' && (
          <TextInput
            label="Server tool"
            description="Its name on the server."
            value={serverTool}
            onChange={({ currentTarget }) => setServerTool(currentTarget.value)}
          />
        )}
        <Group justify="space-between">
          <Text fw={600} size="sm">
            Arguments
          </Text>
          <SegmentedControl
            size="xs"
            aria-label="Argument format"
            data={[
              { value: 'form', label: 'Form' },
              { value: 'json', label: 'JSON' },
            ]}
            value={view}
            onChange={showAs}
            disabled={read === null}
          />
        </Group>
        {view === 'form' ? (
          <ArgumentForm
            properties={properties}
            required={requiredOf(tool)}
            given={given}
            onChange={setGiven}
          />
        ) : (
          <Suspense fallback={<Skeleton h={160} />}>
            <JsonEditor label="Arguments JSON" value={json} onChange={write} height="10rem" />
          </Suspense>
        )}
        <Group>
          <Button
            variant="default"
            disabled={!isReady || trial.isPending}
            loading={trial.isPending && trial.variables === true}
            onClick={() => trial.mutate(true)}
          >
            Dry run
          </Button>
          {mayRun && (
            <Button
              leftSection={<IconPlayerPlay size={16} />}
              disabled={!isReady || trial.isPending}
              loading={trial.isPending && trial.variables === false}
              onClick={() => trial.mutate(false)}
            >
              Run tool
            </Button>
          )}
        </Group>
        <Text size="xs" c="dimmed">
          A dry run checks the arguments and shows the request without sending it. Run tool calls the tool
          {tool.approvalRequired ? ' without waiting for approval' : ''}, and the audit log records it.
        </Text>
        <div aria-live="polite">
          {trial.error !== null && <ErrorNotice error={trial.error} />}
          {trial.data !== undefined && !trial.isPending && (
            <TrialOutcome trial={trial.data} isDry={trial.variables ?? true} />
          )}
        </div>
      </Stack>
    </Drawer>
  )
}

function propertiesOf(tool: ToolDraft): Readonly<Record<string, unknown>> {
  if (tool.kind === 'http') return tool.parameters.properties ?? {}
  return tool.kind === 'builtin' ? builtinParameters[tool.builtin] : {}
}

function requiredOf(tool: ToolDraft): readonly unknown[] {
  if (tool.kind !== 'http' || !Array.isArray(tool.parameters.required)) return []
  return tool.parameters.required
}

/** Null if the JSON is not an object. */
function readArguments(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text)
    return isSchema(value) ? value : null
  } catch {
    return null
  }
}
