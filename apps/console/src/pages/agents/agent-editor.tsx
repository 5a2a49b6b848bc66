import { Badge, Stack, Tabs } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useConsole } from '../../data/console-context'
import { LeaveGuard } from '../../parts/leave-guard'
import { PageFrame } from '../../parts/page-frame'
import { TabStrip } from '../../parts/tab-strip'
import { AgentActions } from './agent-actions'
import type { AgentVersion } from './agent-draft'
import { countIn } from './agent-errors'
import { ChangedMeanwhile } from './changed-meanwhile'
import { EmbedTab } from './embed-tab'
import { HistoryTab } from './history/history-tab'
import { SaveBar } from './save-bar'
import { SettingsTab } from './settings-tab'
import { SubAgentsTab } from './sub-agents/sub-agents-tab'
import { TestsTab } from './tests/tests-tab'
import { ToolsTab } from './tools/tools-tab'
import { useAgentEditor } from './use-agent-editor'

const tabs = [
  { value: 'settings', label: 'Settings', isInside: (path: string) => !/^(?:tools|subAgentIds)/.test(path) },
  { value: 'tools', label: 'Tools', isInside: (path: string) => path.startsWith('tools') },
  { value: 'sub-agents', label: 'Sub-agents', isInside: (path: string) => path.startsWith('subAgentIds') },
]

const savedTabs = ['tests', 'history', 'embed']

/** The agent editor. `latest` is null for a new agent. */
export function AgentEditor({ latest }: { readonly latest: AgentVersion | null }) {
  const { may } = useConsole()
  const navigate = useNavigate()
  const [tab, setTab] = useTab(latest !== null)
  const editing = useAgentEditor(latest, ({ agent: { id, name } }, isNew) => {
    notifications.show({ message: `${name} saved.`, color: 'green' })
    if (isNew)
      void navigate({
        to: '/agents/$agentId',
        params: { agentId: id },
        search: { tab },
        replace: true,
        ignoreBlocker: true,
      })
  })
  const { draft, base, isDirty, errors } = editing
  const isReadOnly = !may('agent:write')
  useHotkeys([['mod+S', () => isDirty && !isReadOnly && editing.save()]], [])
  const panels = { editing, isReadOnly }
  return (
    <PageFrame
      title={draft.name.trim() || (base === null ? 'New agent' : base.agent.name)}
      {...(isReadOnly && { about: 'You can view this agent. Your role cannot change it.' })}
      {...(base !== null && { actions: <AgentActions agent={base.agent} draft={draft} /> })}
    >
      <ChangedMeanwhile editing={editing} />
      <Tabs value={tab} onChange={setTab} keepMounted={false}>
        <TabStrip value={tab}>
          {tabs.map(({ value, label, isInside }) => (
            <Tabs.Tab
              key={value}
              value={value}
              rightSection={<ErrorCount count={countIn(errors, isInside)} />}
            >
              {label}
              {value === 'tools' && draft.tools.length > 0 && ` (${draft.tools.length})`}
            </Tabs.Tab>
          ))}
          {base !== null && <Tabs.Tab value="tests">Tests</Tabs.Tab>}
          {base !== null && <Tabs.Tab value="history">History</Tabs.Tab>}
          {base !== null && <Tabs.Tab value="embed">Embed</Tabs.Tab>}
        </TabStrip>
        <Tabs.Panel pt="md" value="settings">
          <SettingsTab {...panels} />
        </Tabs.Panel>
        <Tabs.Panel pt="md" value="tools">
          <ToolsTab {...panels} />
        </Tabs.Panel>
        <Tabs.Panel pt="md" value="sub-agents">
          <SubAgentsTab {...panels} />
        </Tabs.Panel>
        {base !== null && (
          <Tabs.Panel pt="md" value="tests">
            <TestsTab agent={base.agent} isDirty={isDirty} isReadOnly={isReadOnly} />
          </Tabs.Panel>
        )}
        {base !== null && (
          <Tabs.Panel pt="md" value="history">
            <HistoryTab base={base} isDirty={isDirty} isReadOnly={isReadOnly} />
          </Tabs.Panel>
        )}
        {base !== null && (
          <Tabs.Panel pt="md" value="embed">
            <EmbedTab agent={base.agent} />
          </Tabs.Panel>
        )}
      </Tabs>
      {!isReadOnly && (
        <Stack maw="62rem" style={{ position: 'sticky', bottom: 0, zIndex: 2 }}>
          <SaveBar editing={editing} />
        </Stack>
      )}
      <LeaveGuard isDirty={isDirty} />
    </PageFrame>
  )
}

/** The open tab is part of the URL, so it survives a reload and the redirect after creation. */
function useTab(isSaved: boolean): readonly [string, (tab: string | null) => void] {
  const navigate = useNavigate()
  const { tab: wanted } = useSearch({ from: '/inside/agents/$agentId' })
  const isThere =
    tabs.some(({ value }) => value === wanted) || (isSaved && savedTabs.some((tab) => tab === wanted))
  const show = (tab: string | null) =>
    void navigate({
      to: '.',
      search: { tab: tab ?? 'settings' },
      replace: true,
      resetScroll: false,
      ignoreBlocker: true,
    })
  return [isThere && wanted !== undefined ? wanted : 'settings', show]
}

function ErrorCount({ count }: { readonly count: number }) {
  if (count === 0) return null
  return (
    <Badge size="xs" color="red" variant="light" circle={count < 10} aria-label={`${count} to fix`}>
      {String(count)}
    </Badge>
  )
}
