// What is said where the bot is a guest, of tips by reaction, and of the leaderboard.

export const beyond = {
  'guest-asked': '{$sender}, one question first: I ask it in our direct chat. Nothing was taken yet.',
  'guest-private': 'That is for you alone: the answer is in our direct chat.',

  'react-on':
    'When you react with {$emoji} to a message in a group, I tip its author {$amount} USDC, as if you had typed it: once a message, within your limits and the five commands an hour. To stop: “/react off”.',
  'react-off':
    'Tips by reaction are off. “/react 👍 1” turns them on: a reaction with that emoji tips the author of the message 1 USDC.',
  'react-where':
    'It works in groups where I am an administrator, for messages from when you were last seen there, up to seven days back.',
  'react-unclear':
    'I did not get that, so nothing changed. Type one emoji and an amount, like “/react 👍 1”, or “/react off”.',
  'react-range':
    'That does not fit, so nothing changed: the least is 0.01 USDC, and with the fee it may be {$cap} USD at most.',
  'react-elsewhere': 'That is set in our direct chat only, so nothing changed. Type it here.',

  'leaderboard-received': '🏆 Received most here in 30 days',
  'leaderboard-gave': 'Gave most here in 30 days',
  'leaderboard-line': '{$person}: {$usd} USD',
  'leaderboard-nobody':
    'Nobody stands in the leaderboard here yet. “/leaderboard on” puts you in; only who joined is shown.',
  'leaderboard-nothing':
    'Of those who joined, nobody gave or received anything here in the last 30 days. “/leaderboard on” puts you in.',
  'leaderboard-on':
    'You stand in the leaderboard here now: what you gave and received in this chat in the last 30 days. “/leaderboard off” takes you out.',
  'leaderboard-off': 'You are out of the leaderboard here. “/leaderboard on” puts you in again.',
  'leaderboard-left_all': 'You are out of the leaderboards of all chats.',
  'leaderboard-unclear':
    'I did not get that, so nothing changed. Type “/leaderboard”, “/leaderboard on” or “/leaderboard off”.',
  'leaderboard-elsewhere':
    'Each group has a leaderboard of its own: ask for it there. “/leaderboard off” in our direct chat takes you out of all of them.',

  'thread-total': '💚 {$sums} here so far, from {$people}.',
  'thread-more': `{$others ->
    [one] {$names} and one more
   *[other] {$names} and {$others} more
  }`,
  'thread-only': '{$others} people',
} as const;
