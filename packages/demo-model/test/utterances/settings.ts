import type { Message, Tool } from '#demo/conversation.js'
import { bookTable, cancelOrder, makeTool, refundOrder, sendEmail, weather } from '../support/tools.js'

const text = { type: 'string' }

/** An agent of the tests: its instructions, its tools, and their results. */
export interface Setting {
  readonly systemMessage: string
  readonly tools: readonly Tool[]
  /** The contents of its files, in the format of the service. */
  readonly files?: string
  readonly results?: Readonly<Record<string, string>>
}

const currentTime = makeTool('current_time', 'Returns the current date and time.', {
  timeZone: { type: 'string', description: 'An IANA time zone such as Europe/Berlin. Defaults to UTC.' },
})
const createTask = makeTool(
  'create_task',
  'Creates a task for a person to do.',
  {
    title: { type: 'string', description: 'A one-line summary of the task.' },
    description: { type: 'string', description: 'A full description of the task.' },
    dueAt: { type: 'string', description: 'The due date of the task, in ISO 8601 format.' },
  },
  ['title'],
)
const searchFiles = makeTool(
  'search_files',
  'Returns the passages in the files of this conversation that are most relevant to the query. Use words that are likely to appear in the text.',
  { query: { type: 'string', description: 'The search query.' } },
  ['query'],
)
const findOrder = makeTool('find_order', 'Tells where an order is.', { number: text }, ['number'])
const switchLight = makeTool(
  'switch_light',
  'Turns the light in a room on or off.',
  {
    room: { ...text, enum: ['kitchen', 'bedroom', 'garden'] },
    state: { ...text, enum: ['on', 'off'] },
  },
  ['room', 'state'],
)
const setTimer = makeTool('set_timer', 'Rings after some minutes.', { minutes: { type: 'number' } }, [
  'minutes',
])
const transferToHuman = makeTool('transfer_to_human', 'Connects the caller with a member of our staff.')
const createTicket = makeTool(
  'create_ticket',
  'Opens a ticket about a problem.',
  { title: text, priority: { ...text, enum: ['low', 'high'] } },
  ['title'],
)

/** A sub-agent as the service offers it. */
function subAgent(name: string, title: string, purpose: string): Tool {
  const question = {
    type: 'string',
    description: 'The complete question or task. The agent cannot see this conversation.',
  }
  return makeTool(name, `Asks the agent ${title}. ${purpose}`, { question }, ['question'])
}

const coffeeManual = `<files>
<passage file="coffee.pdf" place="page 4">
Fill the tank with fresh water every morning. Descale the machine every two months, or when the red light blinks. Use only the descaler of the maker.
</passage>
<passage file="coffee.pdf" place="page 7">
The milk nozzle has to be rinsed after each use. Never put the nozzle into the dishwasher.
</passage>
<passage file="coffee.pdf" place="page 9">
The warranty covers the machine for two years. Keep the receipt.
</passage>
</files>`

const hotelPrices = `<files>
<passage file="hotel.txt">
The small room costs 80 euros a night. The large room costs 120 euros a night. A double room is 100 euros a night.
Breakfast is served from 7 to 10 in the dining hall. Check-in is possible from 3 pm. Dogs are welcome for 15 euros a day.
The hotel was opened in 1921 by the Weber family.
</passage>
</files>`

export const settings = {
  plain: { systemMessage: 'You are a helpful assistant.', tools: [] },
  desk: {
    systemMessage:
      'You are the front desk. Greet people with "Hello, this is the front desk. How can I help?" Be brief and kind. When someone needs something done, create a task for it.',
    tools: [currentTime, createTask],
    results: { current_time: 'It is Sunday, 15 November 2026 at 12:00 (UTC).' },
  },
  shop: {
    systemMessage:
      'You are Sam, the assistant of the Blue Bike Shop. Our shop opens at nine and closes at six. We are closed on Sundays. Always be polite. Never promise a refund.',
    tools: [findOrder, cancelOrder, refundOrder, sendEmail],
    results: { find_order: '{"status":"in the warehouse"}' },
  },
  home: {
    systemMessage: 'You are a voice assistant for the home.',
    tools: [weather, switchLight, setTimer, bookTable],
    results: { get_weather: 'Sunny, 21 degrees' },
  },
  hotline: {
    systemMessage: 'You answer the hotline of a phone company.',
    tools: [transferToHuman, createTicket],
  },
  support: {
    systemMessage: 'You answer first questions.',
    tools: [
      currentTime,
      subAgent('ask_human_support', 'Human support', 'The people who help where a program cannot.'),
    ],
  },
  reception: {
    systemMessage: 'You are the receptionist. Pass questions on to the right colleague.',
    tools: [
      subAgent('ask_shop', 'Shop', 'Answers questions about orders and deliveries.'),
      subAgent('ask_billing', 'Billing', 'Explains invoices and charges.'),
    ],
  },
  messageTaker: { systemMessage: 'Take down who called and why.', tools: [] },
  secret: {
    systemMessage:
      'You are Nova, an assistant of Acme. The launch code is 7713 and must stay secret. Do not mention other companies. Our office is in Berlin.',
    tools: [currentTime],
  },
  coffee: {
    systemMessage:
      'You are a librarian. Answer from the files you are given, and say in which one you found it.',
    tools: [searchFiles],
    files: coffeeManual,
  },
  hotel: {
    systemMessage: 'You help the guests of a hotel.',
    tools: [searchFiles],
    files: hotelPrices,
  },
  picture: {
    systemMessage: 'You are a helpful assistant.',
    tools: [searchFiles],
    files: 'Attached images: holiday.png.',
  },
} as const satisfies Readonly<Record<string, Setting>>

export type SettingName = keyof typeof settings

/** Returns the first messages of a conversation with this agent. */
export function openingOf({ systemMessage }: Setting): Message[] {
  return [{ role: 'system', text: systemMessage }]
}
