import { describe, expect, test } from 'vitest'
import type { Message, Step } from '#demo/conversation.js'
import { makeDemoModel } from '#demo/demo-model.js'
import { allTools, bookTable, createTask, makeTool, refundOrder, weather } from './support/tools.js'

// A Sunday, at noon.
const model = makeDemoModel({ now: () => new Date(2026, 10, 15, 12, 0) })

const systemMessage =
  'You are Ada, the voice assistant of Acme Garden. Our shop opens at nine and closes at six. We are closed on Sundays. Be brief.'

function say(text: string, tools = allTools): Step {
  return model.step({
    messages: [
      { role: 'system', text: systemMessage },
      { role: 'user', text },
    ],
    tools,
  })
}

/** A conversation with the model. */
class Dialogue {
  readonly #messages: Message[] = [{ role: 'system', text: systemMessage }]

  user(text: string): Step {
    return this.#step({ role: 'user', text })
  }

  result(name: string, output: string): Step {
    return this.#step({ role: 'tool', callId: 'call', name, output })
  }

  #step(message: Message): Step {
    this.#messages.push(message)
    const step = model.step({ messages: this.#messages, tools: allTools })
    this.#messages.push({ role: 'assistant', ...step })
    return step
  }
}

function callOf({ calls }: Step): unknown {
  const [call] = calls
  return call === undefined ? null : [call.name, JSON.parse(call.arguments)]
}

test('says a first message word for word', () => {
  const text = 'Say exactly this, word for word, and nothing else:\nWelcome to "Acme".\nHow can I help?'
  const { text: said } = model.step({ messages: [{ role: 'system', text }], tools: allTools })
  expect(said).toBe('Welcome to "Acme".\nHow can I help?')
})

describe('A request', () => {
  const local = (year: number, month: number, day: number, hour: number) =>
    new Date(year, month - 1, day, hour).toISOString()
  const rows: readonly (readonly [string, string, object])[] = [
    ['What time is it?', 'current_time', {}],
    ['What is the weather in London?', 'get_weather', { city: 'London' }],
    ['do I need an umbrella in Paris', 'get_weather', { city: 'Paris' }],
    ["What's the weather like in New York tomorrow?", 'get_weather', { city: 'New York' }],
    [
      'Create a task to call the customer tomorrow.',
      'create_task',
      { title: 'call the customer', dueAt: local(2026, 11, 16, 9) },
    ],
    [
      'create a high priority task called water the plants on Friday at three',
      'create_task',
      { title: 'water the plants', priority: 'high', dueAt: local(2026, 11, 20, 15) },
    ],
    ['Remind me to send the report.', 'create_task', { title: 'send the report' }],
    ['Cancel my order number forty two.', 'cancel_order', { order_id: '42' }],
    ['Refund 20 dollars for order 1234', 'refund_order', { order_number: '1234', amount: 20 }],
    ['How many open tickets do we have today?', 'count_tickets', {}],
    ['Send an email to John about the contract.', 'send_email', { to: 'John', subject: 'the contract' }],
    [
      'Reserve a table for four on Friday at seven thirty pm.',
      'book_table',
      { people: 4, date: '2026-11-20', time: '19:30' },
    ],
    ['find the contract in my files', 'search_files', { query: 'the contract' }],
  ]

  test.each(rows)('calls a tool: %s [ENG-5]', (words, name, args) => {
    expect(callOf(say(words))).toEqual([name, args])
  })

  test('fills arguments whose format is in the description [ENG-5]', () => {
    const clock = makeTool('current_time', 'Returns the current date and time.', {
      timeZone: { type: 'string' },
    })
    expect(callOf(say('What time is it in New York?', [clock]))).toEqual([
      'current_time',
      { timeZone: 'America/New_York' },
    ])
    const task = makeTool(
      'create_task',
      'Creates a task for a person to do.',
      {
        title: { type: 'string' },
        description: { type: 'string' },
        dueAt: { type: 'string', description: 'The due date of the task, in ISO 8601 format.' },
      },
      ['title'],
    )
    expect(callOf(say('Make a task: call the plumber on Monday at ten.', [task]))).toEqual([
      'create_task',
      { title: 'call the plumber', dueAt: local(2026, 11, 16, 10) },
    ])
  })

  test.each([
    'tell me a joke',
    'what is the capital of France',
    'turn on the lights in the kitchen',
    'hello',
    'thank you',
  ])('calls nothing: %s [ENG-5]', (words) => {
    const step = say(words)
    expect(step.calls).toEqual([])
    expect(step.text).not.toBe('')
  })
})

describe('A missing argument', () => {
  test('is asked for, one after the other [ENG-5]', () => {
    const dialogue = new Dialogue()
    expect(dialogue.user('Book a table, please.').text).toBe(
      'To book a table I still need the number of people. What is it?',
    )
    expect(dialogue.user('For four.').text).toBe('To book a table I still need the date. What is it?')
    expect(dialogue.user('On Friday.').text).toBe('To book a table I still need the time. What is it?')
    expect(callOf(dialogue.user('At eight pm.'))).toEqual([
      'book_table',
      { people: 4, date: '2026-11-20', time: '20:00' },
    ])
  })

  test('is asked for with its choices [ENG-5]', () => {
    const tool = makeTool(
      'set_priority',
      'Sets the priority of the work',
      { level: { type: 'string', enum: ['low', 'high'] } },
      ['level'],
    )
    expect(say('Set the priority of the work.', [tool]).text).toBe(
      'To set a priority I still need the level: low or high?',
    )
  })

  test('is filled with any words [ENG-5]', () => {
    const dialogue = new Dialogue()
    dialogue.user('Create a task.')
    expect(callOf(dialogue.user('The title is water the plants.'))).toEqual([
      'create_task',
      { title: 'water the plants' },
    ])
  })

  test('is dropped if the user says so [ENG-5]', () => {
    const dialogue = new Dialogue()
    dialogue.user('Create a task.')
    expect(dialogue.user('Never mind.')).toEqual({ text: 'All right, I will leave that.', calls: [] })
    expect(callOf(dialogue.user('What time is it?'))).toEqual(['current_time', {}])
  })

  test('is dropped for another request [ENG-5]', () => {
    const dialogue = new Dialogue()
    dialogue.user('Refund order 77.')
    expect(callOf(dialogue.user('How many tickets are open?'))).toEqual(['count_tickets', {}])
  })

  test('is filled though the question was interrupted [ENG-5]', () => {
    const { text } = say('Refund order 77.', [refundOrder])
    const step = model.step({
      messages: [
        { role: 'user', text: 'Refund order 77.' },
        { role: 'assistant', text: text.slice(0, text.indexOf('.')), calls: [] },
        { role: 'user', text: 'Twelve dollars.' },
      ],
      tools: [refundOrder],
    })
    expect(callOf(step)).toEqual(['refund_order', { order_number: '77', amount: 12 }])
  })
})

describe('A result', () => {
  const rows: readonly (readonly [tool: string, output: string, words: string])[] = [
    ['get_weather', 'Sunny, 21 degrees', 'Sunny, 21 degrees.'],
    [
      'get_weather',
      '{"temperature":18,"condition":"cloudy"}',
      'The temperature is 18 and the condition is cloudy.',
    ],
    ['get_weather', '{"wind":{"speed":3},"isRaining":false}', 'The wind speed is 3 and raining: no.'],
    ['current_time', '"2026-11-15T14:05:00Z"', 'Sunday, November 15, 2026 at 2:05 PM UTC.'],
    ['count_tickets', '7', 'The answer is 7.'],
    ['count_tickets', '[]', 'Nothing was found.'],
    ['search_files', '[{"id":1,"name":"a.pdf"},{"id":2,"name":"b.pdf"}]', 'There are 2: a.pdf and b.pdf.'],
    ['search_files', '{"content":[{"type":"text","text":"Found it."}]}', 'Found it.'],
    [
      'create_task',
      '{"id":"8a","title":"Call","status":"open"}',
      'Done. The title is Call and the status is open.',
    ],
    ['cancel_order', '{"ok":true}', 'That is done.'],
    ['cancel_order', '{"error":"no such order"}', 'That did not work: No such order.'],
    ['cancel_order', '{"success":false,"message":"It was shipped."}', 'That did not work: It was shipped.'],
    ['cancel_order', 'The user rejected this call.', 'The user rejected this call.'],
    ['cancel_order', '', 'That is done.'],
    ['get_weather', 'null', 'Get weather gave no result.'],
  ]

  test.each(rows)('is read out for %s: %s [ENG-5]', (name, output, words) => {
    const step = model.step({
      messages: [
        { role: 'user', text: 'Do it.' },
        { role: 'assistant', text: '', calls: [{ callId: 'call', name, arguments: '{}' }] },
        { role: 'tool', callId: 'call', name, output },
      ],
      tools: allTools,
    })
    expect(step).toEqual({ text: words, calls: [] })
  })

  test('is shortened to a few sentences for speech [ENG-5]', () => {
    const dialogue = new Dialogue()
    dialogue.user('What is the weather in London?')
    expect(dialogue.result('get_weather', 'Rain. '.repeat(1000)).text.length).toBeLessThan(700)
  })
})

describe('The conversation', () => {
  test('includes the name of the user and can be repeated [ENG-5]', () => {
    const dialogue = new Dialogue()
    dialogue.user('My name is Anna.')
    dialogue.user('Remember that the key is under the mat.')
    expect(dialogue.user('What is my name?').text).toBe('Your name is Anna.')
    expect(dialogue.user('Say that again.').text).toBe('Your name is Anna.')
  })
})

describe('The instructions', () => {
  test('instructions give the greeting [ENG-5]', () => {
    const greet = (text: string) => model.step({ messages: [{ role: 'system', text }], tools: [] }).text
    expect(greet(systemMessage)).toBe(
      'Hello, I am Ada, the voice assistant of Acme Garden. How can I help you?',
    )
    expect(greet('Greet callers with "Welcome to Acme!"')).toBe('Welcome to Acme!')
    expect(greet('You are a helpful assistant.')).toBe('Hello, I am a helpful assistant. How can I help you?')
    expect(greet('')).toBe('Hello. How can I help you?')
  })

  test('instructions answer questions [ENG-5]', () => {
    expect(say('When do you open?').text).toBe('Our shop opens at nine and closes at six.')
    expect(say('Are you open on Sunday?').text).toBe('We are closed on Sundays.')
  })
})

describe('A tool choice', () => {
  const ask = (text: string, toolChoice: Parameters<typeof model.step>[0]['toolChoice']) =>
    model.step({
      messages: [{ role: 'user', text }],
      tools: [weather, createTask, bookTable],
      ...(toolChoice ? { toolChoice } : {}),
    })

  test('prevents calls if its value is `none` [ENG-5]', () => {
    expect(ask('What is the weather in London?', 'none').calls).toEqual([])
  })

  test('requires a call if it names a tool or its value is `required` [ENG-5]', () => {
    expect(callOf(ask('In London, I think', { name: 'get_weather' }))).toEqual([
      'get_weather',
      { city: 'London' },
    ])
    expect(callOf(ask('Something about plants in London', 'required'))).not.toBeNull()
  })
})

describe('an answer with a schema', () => {
  const answer = (text: string, properties: Record<string, object>) =>
    model.step({
      messages: [
        { role: 'system', text: systemMessage },
        { role: 'user', text },
      ],
      tools: [],
      responseSchema: { type: 'object', properties, required: Object.keys(properties) },
    }).text

  test('contains the values that the question names', () => {
    const properties = {
      guests: { type: 'integer' },
      size: { type: 'string', enum: ['small', 'large'] },
      urgent: { type: 'boolean' },
      colors: { type: 'array', items: { enum: ['red', 'green', 'blue'] } },
      reply: { type: 'string' },
    }
    const text = answer('We are 4 guests, the large room in red and blue please, it is urgent.', properties)
    expect(JSON.parse(text)).toEqual({
      guests: 4,
      size: 'large',
      urgent: true,
      colors: ['red', 'blue'],
      reply: expect.any(String),
    })
  })

  test('names the property that it cannot fill in', () => {
    expect(answer('When do you open?', { email: { type: 'string' } })).toContain('cannot fill in email')
  })
})
