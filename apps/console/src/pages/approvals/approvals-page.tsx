import { Switch, Tabs } from '@mantine/core'
import { useApprovalSound } from '../../data/approval-sound'
import { useFilter } from '../../data/use-filter'
import { PageFrame } from '../../parts/page-frame'
import { DecidedApprovals } from './decided-approvals'
import { WaitingApprovals } from './waiting-approvals'

/** Pending and decided approvals. */
export function ApprovalsPage() {
  const [{ tab = 'waiting' }, setFilter] = useFilter(['tab', 'State', 'AgentId'])
  const [isLoud, setLoud] = useApprovalSound()
  return (
    <PageFrame
      title="Approvals"
      about="Tool calls that need approval. The first decision counts, here or in the client’s app."
      actions={
        <Switch
          label="Play a sound for new approvals"
          checked={isLoud}
          onChange={({ currentTarget }) => setLoud(currentTarget.checked)}
        />
      }
      isFilling
    >
      <Tabs
        value={tab}
        onChange={(next) => setFilter({ tab: next === 'decided' ? next : '', State: '', AgentId: '' })}
        keepMounted={false}
        flex={1}
        mih={0}
        display="flex"
        style={{ flexDirection: 'column' }}
      >
        <Tabs.List>
          <Tabs.Tab value="waiting">Pending</Tabs.Tab>
          <Tabs.Tab value="decided">Resolved</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="waiting" pt="md">
          <WaitingApprovals />
        </Tabs.Panel>
        <Tabs.Panel value="decided" flex={1} mih={0} pt="md">
          <DecidedApprovals />
        </Tabs.Panel>
      </Tabs>
    </PageFrame>
  )
}
