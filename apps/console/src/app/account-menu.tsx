import {
  Avatar,
  Group,
  Menu,
  Text,
  UnstyledButton,
  useMantineColorScheme,
  VisuallyHidden,
} from '@mantine/core'
import type { Membership } from '@parley/sdk'
import {
  IconCheck,
  IconDeviceDesktop,
  IconLogout,
  IconMoon,
  IconSettings,
  IconSun,
} from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { mayIn } from '../data/access'
import { useConsole } from '../data/console-context'
import { firstPath } from './pages'

const schemes = [
  { value: 'light', label: 'Light', icon: IconSun },
  { value: 'dark', label: 'Dark', icon: IconMoon },
  { value: 'auto', label: 'System', icon: IconDeviceDesktop },
] as const

/** The account menu: organization, color scheme and user. */
export function AccountMenu() {
  const { parley, person, signedIn, membership, switchOrganization } = useConsole()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const leave = async () => {
    await parley.me.signOut().catch(() => undefined)
    queries.clear()
    await navigate({ to: '/' })
    location.reload()
  }
  const enter = async (entered: Membership) => {
    if (entered.id === membership.id) return
    // The current page may not exist in the other organization, and the user's role there may differ.
    await navigate({ to: firstPath((scope) => mayIn(entered, scope)) ?? '/' })
    switchOrganization(entered.id)
  }
  return (
    <Menu position="bottom-end" width={260} trapFocus>
      <Menu.Target>
        <UnstyledButton>
          <Group gap="xs" wrap="nowrap">
            <Avatar name={person.name} size={32} radius="xl" variant="filled" color="green" aria-hidden />
            <div>
              <Text size="sm" fw={600} lh={1.2} visibleFrom="xs" maw="12rem" truncate>
                {membership.name}
              </Text>
              <Text size="xs" c="dimmed" lh={1.2} visibleFrom="xs" maw="12rem" truncate>
                {membership.role}
              </Text>
            </div>
            <VisuallyHidden>Account and organizations</VisuallyHidden>
          </Group>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Organizations</Menu.Label>
        {signedIn.organizations.map((organization) => (
          <Menu.Item
            key={organization.id}
            onClick={() => void enter(organization)}
            aria-current={organization.id === membership.id || undefined}
            rightSection={organization.id === membership.id ? <IconCheck size={16} /> : undefined}
          >
            {organization.name}
            <Text size="xs" c="dimmed">
              {organization.role}
            </Text>
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Label>Appearance</Menu.Label>
        {schemes.map(({ value, label, icon: Sign }) => (
          <Menu.Item
            key={value}
            leftSection={<Sign size={16} />}
            rightSection={colorScheme === value ? <IconCheck size={16} /> : undefined}
            onClick={() => setColorScheme(value)}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Label>{person.email}</Menu.Label>
        <Menu.Item component={Link} to="/account" leftSection={<IconSettings size={16} />}>
          Account settings
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void leave()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
