// What is said where the bot is a guest, of tips by reaction, and of the leaderboard.

export const beyond = {
  'guest-asked': '{$sender}, one question first. I’ve asked it in our direct chat.',
  'guest-private': 'That’s for you only. I’ve answered in our direct chat.',

  'react-on':
    'React with {$emoji} to a message in a group, and I tip its author {$amount}: once per message, within your limits. To stop: {$off}',
  'react-off': 'Tips by reaction are off. To turn them on: {$on}',
  'react-where':
    'This works in groups where I’m an administrator, for messages sent after you last wrote or reacted there, up to seven days back.',
  'react-unclear': 'Sorry, I didn’t get that. Type one emoji and an amount: {$on}',
  'react-range': 'Tips by reaction can be from $0.01 to {$cap}, with the fee.',
  'react-elsewhere': 'You can only set that in our direct chat. Type it here.',

  'leaderboard-received': '🏆 Received most here in 30 days',
  'leaderboard-gave': 'Gave most here in 30 days',
  'leaderboard-line': '{$person}: {$usd}',
  'leaderboard-nobody': 'The leaderboard is empty. /leaderboard on adds you.',
  'leaderboard-nothing':
    'No one on the leaderboard gave or received anything here in 30 days. /leaderboard on adds you.',
  'leaderboard-on':
    'You’re on the leaderboard, with what you gave and received here in 30 days. /leaderboard off removes you.',
  'leaderboard-off': 'You’re off the leaderboard. /leaderboard on adds you again.',
  'leaderboard-left_all': 'You’re off the leaderboards of all chats.',
  'leaderboard-unclear': 'Sorry, I didn’t get that. Try /leaderboard, /leaderboard on or /leaderboard off.',
  'leaderboard-elsewhere':
    'Each group has its own leaderboard, so ask for it there. /leaderboard off in our direct chat removes you from all of them.',

  'thread-total': '💚 {$sums} here so far, from {$people}.',
  'thread-more': `{$others ->
    [one] {$names} and one more
   *[other] {$names} and {$others} more
  }`,
  'thread-only': '{$others} people',
} as const;
