/** What people say besides their requests. */
export type TalkKind =
  | 'greeting'
  | 'wellbeing'
  | 'thanks'
  | 'goodbye'
  | 'meeting'
  | 'praise'
  | 'insult'
  | 'sorrow'
  | 'joy'
  | 'apology'
  | 'presence'
  | 'feelings'
  | 'weather'
  | 'identity'
  | 'abilities'
  | 'repeat'

const sentences: readonly (readonly [TalkKind, readonly string[]])[] = [
  ['greeting', ['Hello there!', 'Good morning to you.']],
  ['wellbeing', ['How are you doing?', 'How is your day going?', "What's up?", 'Are you all right?']],
  [
    'thanks',
    ['Thank you so much for your help.', 'That was very helpful, thanks.', 'I really appreciate it.'],
  ],
  [
    'goodbye',
    [
      'Goodbye, see you later.',
      'I have to go now.',
      'Have a nice day!',
      "That's all for today.",
      'Talk to you soon.',
    ],
  ],
  ['meeting', ['Nice to meet you.', 'It is a pleasure to talk to you.']],
  [
    'praise',
    ['You are very helpful.', 'You are great!', 'Well done, good job.', 'I like you.', 'You are so smart.'],
  ],
  [
    'insult',
    ['You are stupid.', 'You are useless.', 'This is terrible, I hate you.', 'You never understand me.'],
  ],
  [
    'sorrow',
    [
      'I feel sad.',
      'I had a bad day.',
      'I am so tired.',
      'I am sick.',
      'I am stressed and worried.',
      'I feel lonely.',
    ],
  ],
  ['joy', ['I am so happy today!', 'I had a great day.', 'I got good news.']],
  ['apology', ['I am sorry about that.', 'Sorry, my mistake.']],
  ['presence', ['Are you there?', 'Can you hear me?', 'Is anybody there?', 'Are you listening?']],
  [
    'feelings',
    [
      'Do you like music?',
      'Do you have feelings?',
      'What is your favorite color?',
      'How old are you?',
      'Where do you live?',
      'Are you married?',
      'Do you ever sleep?',
    ],
  ],
  ['weather', ['What lovely weather today.', 'It is so hot today.', 'It is raining again.']],
  [
    'identity',
    ['Who are you?', 'Are you a robot or a human?', 'What is your name?', 'Am I talking to a machine?'],
  ],
  [
    'abilities',
    [
      'What can you do?',
      'What can you help me with?',
      'What are you able to do for me?',
      'What kind of questions can I ask you?',
      'How does this work?',
    ],
  ],
  ['repeat', ['Can you repeat that?', 'I did not hear you, say that again.', 'What did you say?']],
]

/** For what no pattern knows: a sentence that means nearly the same as one of these is of the same kind. */
export const talkExamples = sentences.flatMap(([kind, all]) => all.map((sentence) => ({ kind, sentence })))

/** What no tool of an agent is for, whatever the agent: a tool must be meant more clearly than these. */
export const beyondExamples: readonly string[] = [
  'What is the capital of the country?',
  'Who invented it?',
  'When was he born?',
  'Who is the president?',
  'Who wrote this book?',
  'How do I cook this?',
  'How does it work?',
  'What does this word mean?',
  'Explain the theory to me.',
  'Tell me about the history.',
  'Tell me a joke.',
  'Tell me a story.',
  'Write a poem.',
  'Sing a song.',
  'Play some music.',
  'Translate this into Spanish.',
  'What do you think about politics?',
  'Do you like animals?',
  'I need a taxi.',
  'Order a pizza for me.',
  'Book a flight.',
  'What happened in the news today?',
  'Who won the game last night?',
  'Which one is the best in the world?',
]
