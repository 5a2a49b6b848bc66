import { ThemeIcon } from '@mantine/core'
import {
  type Icon,
  IconBell,
  IconBook,
  IconBriefcase,
  IconCalendar,
  IconHeadset,
  IconHeart,
  IconHome,
  IconMap,
  IconPhone,
  IconRobot,
  IconSchool,
  IconShoppingCart,
  IconTool,
} from '@tabler/icons-react'

const signs: Readonly<Record<string, Icon>> = {
  bell: IconBell,
  book: IconBook,
  briefcase: IconBriefcase,
  calendar: IconCalendar,
  cart: IconShoppingCart,
  headset: IconHeadset,
  heart: IconHeart,
  home: IconHome,
  map: IconMap,
  phone: IconPhone,
  robot: IconRobot,
  school: IconSchool,
  tool: IconTool,
}

/** Icon names that are drawn as icons. Any other text is shown by its first characters, for example an emoji. */
export const iconNames = Object.keys(signs)

interface AgentSignProps {
  readonly agent: { readonly icon: string | null; readonly iconColor: string | null }
  readonly size?: number
}

export function AgentSign({ agent: { icon, iconColor }, size = 28 }: AgentSignProps) {
  const Sign = icon === null ? IconRobot : signs[icon]
  return (
    <ThemeIcon
      size={size}
      radius="md"
      aria-hidden
      autoContrast
      {...(iconColor !== null && iconColor !== '' && { color: iconColor })}
    >
      {Sign === undefined ? (
        <span style={{ fontSize: size * 0.55 }}>{[...(icon ?? '')].slice(0, 2).join('')}</span>
      ) : (
        <Sign size={size * 0.6} stroke={1.7} />
      )}
    </ThemeIcon>
  )
}
