/** The vocabulary of notes: what introduces one, what is thanks and nothing more, and what makes a note doubtful. English, German, Spanish, some French. */

function list(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/).filter((word) => word !== ''));
}

/** Introduce a note. */
export const FOR = list('for für fuer por pour');

/** A condition wherever it stands, also behind `for`. */
export const CONDITIONS =
  /(?:^|\s)(?:if|iff|unless|provided|providing|assuming|until|till|as soon as|as long as|in case|only (?:when|after|once|for|upon|with|on)|pending|subject to|depending on|contingent|given that|so long as|the moment|upon|whenever|in the event|on condition|when (?:he|she|they|you|it|i|we|u|the|this|that|his|her|done|ready|paid)|once (?:he|she|they|you|it|i|we|u|the|this|that|done|ready|paid)|wenn|falls|sofern|solange|sobald|außer|vorausgesetzt|nur (?:wenn|falls|nach|bei|mit)|unter der bedingung|im falle|vorbehaltlich|bis|si|sólo si|solo si|siempre que|cuando|hasta que|en cuanto|a menos que|salvo que|una vez que|tan pronto|con tal de|en caso de|apenas|quand|lorsque|tant que|une fois|dès que|sauf si|à condition)(?=\s|$)/;
/** A time or a condition in a note that nothing introduces. */
export const TIMES =
  /(?:^|\s)(?:when|whenever|once|after|before|while|by (?:mon|tues|wednes|thurs|fri|satur|sun)day|by (?:tomorrow|tonight|noon|midnight|then|next|the end|eod|eow)|tomorrow|tonight|later|soon|next (?:week|month|time|year|mon|tue|wed|thu|fri|sat|sun)\w*|in (?:a|an|one|two|\d+) (?:sec|min|hour|day|week|month|year)\w*|maybe|perhaps|possibly|probably|erst|nach (?:dem|der|den)|morgen|übermorgen|später|nachher|nachdem|bevor|bald|nächste[nrs]?|vielleicht|eventuell|mañana|luego|después|despues|antes|pronto|próxim[oa]|quizás?|tal vez|demain|plus tard|peut-être)(?=\s|$)/;
/** As the first word of a note they are a time: `5 friday`, `5 on monday`. */
export const DAYS = list(`
  monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag sonntag
  lunes martes miércoles miercoles jueves viernes sábado sabado domingo today heute hoy
`);

/** Takes the payment back, wherever it stands. */
export const RETRACTIONS =
  /(?:^|[^\p{L}\p{N}/])(?:jk|j\/k|nvm|nevermind|never ?mind|just kidding|kidding|joking|sike|psych|scratch that|no way|as if|in your dreams|dream on|yeah right|wait no|no wait|not really|forget it|cancel(?:led| that| this| it)?|ignore (?:that|this|it)|don'?t (?:do|pay|send|tip|split|give)(?: it| this| that| him| her| them| anything)?|do not (?:pay|send|tip|split|execute|give)|\/s|doch nicht|lieber nicht|war (?:nur )?(?:ein )?(?:spaß|spass|scherz|witz)|nur (?:spaß|spass|scherz)|vergiss es|nicht (?:senden|schicken|zahlen|überweisen)|abbrechen|stornieren|es broma|era broma|es una broma|olvídalo|olvidalo|no (?:envíes|envies|pagues|mandes)|cancela(?:r|lo)?|mentira|je rigole|laisse tomber)(?![\p{L}\p{N}/])/u;
/** Take it back as the first or the last word of a note that nothing introduces. */
export const NEGATIONS = list(`
  no not never nope nah dont don't didn't didnt doesnt doesn't wont won't cant can't shouldnt shouldn't without stop wait undo false wrong ignore
  void nein nicht nie niemals kein keine stopp halt warte quatsch nunca jamás tampoco espera non jamais
`);
/** `no worries` negates nothing. */
export const IDIOMS =
  /^(?:no (?:worries|worry|problem|problems|prob|probs|rush|hurry|biggie|cap|need|stress|pasa nada|hay de qué|hay problema)|not bad|never (?:change|gets old)|kein (?:ding|problem|stress)|keine (?:ursache|sorge|sorgen|eile))/;

/** Introduces another figure or another person: `5 make that 50`, `5 i mean @alice`. */
export const CORRECTIONS =
  /(?:^|\s)(?:make (?:it|that|this)|i mean|i meant|meant|mean|actually|rather|instead|sorry|oops|correction|change (?:it|that)|or|no|nope|wait|to|better|should be|ich meine|meinte|sondern|lieber|besser|eigentlich|nein|oder|quiero decir|quise decir|digo|mejor|perdón|perdon|mejor dicho|o|je veux dire|plutôt|ou)[\s,:-]+$/;
/** Names another person: `instead of carol`. */
export const OTHER_PERSON =
  /(?:^|\s)(?:i mean(?:t)?|instead of|rather than|not (?:to|for) |ich meine|meinte|anstatt|statt|anstelle von|quiero decir|quise decir|en vez de|en lugar de|au lieu de)\s+\p{L}/u;

/** Change the figure before them: as the first words of a note, or anywhere in a note that nothing introduces. */
export const AMOUNT_CHANGERS =
  /^(?:(?:in )?total|altogether|overall|combined|together|between|among|amongst|or|plus|minus|times|max|maximum|minimum|at (?:most|least)|up to|approximately|approx|about|around|roughly|ish|more|less|each|apiece|per|every|daily|weekly|monthly|hourly|yearly|twice|thrice|double|triple|a (?:day|week|month|year|hour|minute|piece|head|person)|per ?cent|incl\w*|excl\w*|insgesamt|zusammen|pro|jeden|jede|jeweils|täglich|wöchentlich|monatlich|oder|mehr|weniger|mal|höchstens|mindestens|bis zu|ungefähr|etwa|en total|cada|por (?:cabeza|persona|día|semana|mes)|al (?:día|mes)|diario|más|menos|veces|como máximo|al menos|unos|aproximadamente)(?![\p{L}\p{N}])/u;
/** The same behind `for`: `for each goal`. */
export const MULTIPLES =
  /(?:^|\s)(?:each|every|apiece|per (?:person|head|day|week|month|hour|piece)|in total|pro (?:person|kopf|tag|woche|stunde)|jedes?|jeden|cada (?:uno|una|gol|vez|día|mes|semana))(?=\s|$)/;

/** A sentence about the command, not a note of it: `5 usdc would be nice`. */
export const STATEMENTS = list(`
  is was are were isn't wasn't would should could will might may did does has had must but than then fail failed fails error errors works worked
  broke broken bounced ist war wäre sind hat hatte muss soll sollte geht ging es fue era sería está son est était serait
`);

const THANKS_EN =
  /^(?:(?:ok|okay|wow|nice|great|awesome|cool|yay|oh|many|so|big|huge|much) )?(?:thanks|thank you|thank u|thankyou|thx|thnx|tnx|ty|tysm|tyvm|tyty|cheers|much appreciated|appreciated|appreciate it)(?: (?:so|very|a|again|you|u|much|lot|bunch|ton|million|man|bro|mate|buddy|dude|friend|sir|fam|all|both|guys|everyone|lol))*$/;
const THANKS_DE =
  /^(?:(?:vielen|vielen lieben|lieben|besten|herzlichen|tausend|1000|ganz lieben|ok|super) )?(?:danke|dank|dankeschön|dankeschoen|thx|merci)(?: (?:schön|schoen|sehr|dir|euch|ihnen|nochmal|nochmals|vielmals|leute))*$/;
const THANKS_ES =
  /^(?:(?:muchas|muchísimas|muchisimas|mil|ok|genial) )?(?:gracias|grax|graciass)(?: (?:a|todos|todas|ti|amigo|amiga|de|nuevo|otra|vez|tío|bro))*$/;

/** Whether a note is thanks and nothing more. @param said in lower case, without punctuation and emoji */
export function isThanks(said: string): boolean {
  return THANKS_EN.test(said) || THANKS_DE.test(said) || THANKS_ES.test(said);
}

/** Networks of others, and what people call networks: behind `on` they name one that we do not serve. */
export const OTHER_NETWORKS = list(`
  eth ethereum mainnet polygon matic arbitrum arb arbitrum-one optimism op avalanche avax tron trx fantom ftm gnosis xdai linea scroll zksync
  blast mantle mode zora manta sui aptos near ton toncoin cardano polkadot bitcoin btc lightning ln stellar ripple xrp cosmos osmosis cronos
  kava moonbeam sonic berachain monad abstract unichain worldchain world sei hyperliquid hyperevm starknet l1 l2 l3 erc20 erc-20 bep20 trc20
`);

/** Polite words around a command. A sentence that begins with others is no command. */
export const COURTESIES = list(`
  please pls plz plse plis kindly hey hi hello yo hiya ok okay okey alright so well and now just bot dear gm then also maybe quick quickly
  can could would will you u ya ye i i'd id we we'd wanna want like to would let me let's lets us go ahead gonna
  bitte hallo hi na kannst könntest koenntest würdest wuerdest magst du mir mal mir ich möchte moechte will würde gern gerne jetzt doch und
  por favor porfa hola oye puedes podrías podrias quiero quisiera me gustaría gustaria ahora y vamos a
  s'il te plaît plait svp bonjour salut peux-tu tu peux je veux voudrais
`);
