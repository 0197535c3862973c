/** The vocabulary of notes: what introduces one, what is thanks and nothing more, and what makes a note doubtful. English, German, Spanish, some French. */

function list(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/).filter((word) => word !== ''));
}

/** Any phrase of some lines, as whole words; what a language glues on with an apostrophe counts: `wenn's`. */
function phrases(text: string, where: 'anywhere' | 'first' = 'anywhere'): RegExp {
  const any = text.trim().replace(/\s*\n\s*/g, '|');
  return new RegExp(`${where === 'first' ? '^' : "(?:^|[\\s'(])"}(?:${any})(?=[\\s').,]|$)`, 'u');
}

/** Introduce a note. */
export const FOR = list(`for für fuer fürs fuers für's für’s por pour`);

/** Farewells and turns of speech that name a time and set none; they are read over. */
export const FAREWELLS =
  /(?:^|\s)(?:(?:see|c|catch|meet|talk|speak|hear)(?: to| from)?(?: you| ya| u| y'all)? (?:soon|later|tomorrow|tonight|around|again)|(?:get well|come back|back|write|play|chat) soon|(?:all )?at once|once (?:again|more)|after all|a while|(?:good luck|have fun|enjoy|viel (?:glück|erfolg|spaß)|(?:mucha )?suerte|bon courage|bonne (?:chance|soirée))(?: \p{L}+){0,2} (?:tomorrow|tonight|later|morgen|heute abend|später|mañana|esta noche|demain|ce soir)|bis (?:bald|gleich|dann|denn|die tage)|guten morgen|hasta (?:luego|pronto|la vista|la próxima)|à (?:bientôt|plus|la prochaine|toute)|s'il (?:te|vous) pla[iî]t)(?=[\s.,]|$)/gu;

/** A condition wherever it stands, also behind `for`. */
export const CONDITIONS = phrases(`
  if|iff|unless|provided|providing|assuming|supposing|until|till|as soon as|as long as|so long as|in case|in the event|pending|subject to
  only (?:when|after|once|for|upon|with|on|from|at)|depend(?:s|ing|ent) (?:up)?on|contingent|conditional(?: on)?|given (?:that|he|she|they|it|you|this)|the (?:moment|day|second|minute|instant) (?:that|when|he|she|they|it|you|i|we|this)
  (?:the )?(?:rest|remainder|other half) (?:later|tomorrow|next|when|soon|after|comes|follows)|(?:der |den )?rest (?:später|morgen|kommt|folgt|dann)|el resto (?:luego|después|mañana|más tarde)|le reste (?:plus tard|demain|après)
  upon|whenever|on (?:the )?condition|otherwise|or else|but (?:first|only|not)|should (?:he|she|they|it)
  when (?:he|she|they|you|it|i|we|u|the|this|that|his|her|their|my|your|done|ready|paid|finished|completed)
  once (?:he|she|they|you|it|i|we|u|the|this|that|his|her|their|my|your|done|ready|paid|finished|completed)
  wenn|wenns|falls|wofern|an dem (?:tag|moment)|sofern|insofern|solange|sobald|außer|ausser|es sei denn|vorausgesetzt|(?:unter|mit) der bedingung|unter (?:vorbehalt|bedingung)|sous (?:condition|réserve)|im falle?|vorbehaltlich
  nur (?:wenn|wenns|falls|an dem (?:tag|moment)|nach|bei|mit|dann)|aber (?:nur|erst)|bis|ansonsten|andernfalls
  si|s'ils?|solo (?:si|cuando)|sólo (?:si|cuando)|siempre (?:que|y cuando)|cuando|el (?:día|momento) (?:en )?que|hasta que|en cuanto|a menos que|salvo (?:que|si)|excepto si|una vez que
  tan pronto|con (?:tal|la condición)(?: de)?(?: que)?|a condición|en caso(?: de)?|apenas|mientras|dependiendo|pero solo|pero sólo|si no
  (?:after|before) (?:he|she|they|you|it|i|we)|nachdem|bevor|(?:después|antes) de que|(?:après|avant) que?|(?:for |in )?the case (?:that|he|she|it)|den fall|el caso|le cas où
  dry run|simulation|simulated?|pretend(?:ing)?|imaginary|fake|play money|spielgeld|de mentira|pour de faux|let me (?:check|see|think|know)|let's see|remind me|mal sehen|mal schauen|on verra
  i (?:guess|think|suppose|believe)$|(?:glaube?|denke?|vermute?) ich$|ich (?:glaube?|denke?)$|creo(?: que s[ií])?$|supongo(?: que s[ií])?$|je (?:crois|pense)(?: que oui)?$
  quand|lorsque?|le (?:jour|moment) (?:où|que?)|tant que?|une fois|dès que?|dès|sauf|à condition|à moins|pourvu que?|en cas|au cas|seulement|uniquement|jusqu|jusque|mais seulement
`);
const DAY_NAMES = `(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|lunes|martes|mi[eé]rcoles|jueves|viernes|s[aá]bado|domingo|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)`;
/** A time or a condition in a note that nothing introduces. */
export const TIMES = phrases(`
  when|whenever|once|after|before|while|by (?:tomorrow|tonight|noon|midnight|then|next|the end|end|eod|eow|morning|evening)|tomorrow|tmrw|tmr|tonight|later|soon
  afterwards?|eventually|someday|some day|sometime|shortly|in a (?:bit|moment|sec|while)|on (?:delivery|completion|arrival|success|receipt|acceptance)|at (?:christmas|easter|noon|midnight|dawn|the end|night|sunrise|sunset|halftime|some point)|eod|eow|eom
  (?:next|coming|following) (?:week|month|time|year|evening|afternoon|morning|mon|tue|wed|thu|fri|sat|sun)\\w*|this (?:weekend|evening)|end of (?:the )?(?:day|week|month|year)|at the end of
  (?:on|by|from|until|am|ab|el|este|le|ce|diesen|nächsten) (?:${DAY_NAMES}|payday)|(?:send|pay|transfer|execute|process) (?:it|this|that)|in (?:a|an|one|two|few|a few|\\d+) (?:sec|min|hour|day|week|month|year|hr|h)\\w*|(?:\\d+|a few|few) (?:min|hour|day|week|month)\\w* (?:from now|later)
  (?:ask|tell|call|text|dm|message|ping|warn|check with|talk to|speak to) \\p{L}+ (?:first|before|beforehand)|first$|(?:frag|sag|ruf|schreib) \\p{L}+ (?:zuerst|vorher)|zuerst$|vorher$|primero$|d'abord$
  maybe|perhaps|possibly|probably|not sure|unsure|dunno|tentatively|scheduled?|delayed|postponed?
  erst|nach|danach|morgen|übermorgen|heute abend|heute nacht|abends|später|nachher|nachdem|bevor|vor dem|bald|demnächst|irgendwann|gleich
  (?:nächste|kommende|folgende)[nrsm]?|vielleicht|eventuell|evtl|möglicherweise|ende (?:des|der)
  bei (?:lieferung|erfolg|abschluss|ankunft|gewinn|übergabe|erhalt)|(?:zu|an) (?:weihnachten|ostern|silvester)
  in (?:einer|einem|ein paar|\\d+|zwei|drei) (?:sek|min|stund|tag|woche|monat|jahr)\\w*|um (?:\\d+|mitternacht|mittag)
  mañana|luego|después|despues|tras|a partir|más tarde|mas tarde|antes|pronto|próxim[oa]|proxim[oa]|que viene|quizás?|quiza|tal vez|a lo mejor|puede que|algún día|al (?:terminar|acabar|llegar|recibir|cobrar|volver)|esta (?:noche|tarde)|al final
  (?:dentro de|en) (?:un|una|unos|unas|\\d+|dos) (?:min|hora|d[ií]a|semana|mes|rato)\\w*|a (?:medianoche|mediodía|la entrega)
  demain|après|apres|avant|à partir|plus tard|bientôt|peut-être|peut être|prochaine?|ce soir|cette nuit|tout à l'heure|un jour|éventuellement|à (?:minuit|midi|la livraison|noël)|la semaine prochaine
  dans (?:un|une|quelques|\\d+|deux) (?:min|heure|jour|semaine|mois|instant)\\w*
`);
/** As the first word of a note they are a time: `5 friday`, `5 on monday`. */
export const DAYS = list(`
  monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag sonntag
  lunes martes miércoles miercoles jueves viernes sábado sabado domingo lundi mardi mercredi jeudi vendredi samedi dimanche
  today heute hoy aujourd'hui weekend wochenende finde
`);

/** Takes the payment back, wherever it stands. */
export const RETRACTIONS =
  /(?:^|[^\p{L}\p{N}/])(?:jk|j\/k|nvm|nevermind|never ?mind|(?:just )?(?:kidding|joking)|sike|psych|scratch that|no way|as if|in your dreams|dream on|yeah right|wait no|no wait|(?:surely?|certainly|of course|definitely) not|(?<!(?:you|u|ya|he|she|they|ve|d) )(?:already|just) (?:been )?(?:paid|sent|tipped|settled|transferred)|(?<!(?:du|er|sie|ihr|hast|hat) )(?:schon|bereits) (?:bezahlt|gesendet|geschickt|überwiesen|erledigt|gegeben)|ya (?:está |esta |lo )?(?:pagad[oa]|enviad[oa]|pagué|envié|mandé)|d[ée]j[àa] (?:payé|envoyé|versé|réglé)|(?:he|she|you|they|bob) owes? (?:me|us)|schulde(?:t|st) (?:(?:er|sie|du|ihr) )?(?:mir|uns)|(?:mir|uns) schulde(?:t|st)|(?:me|nos) debe[sn]?|(?:me|nous) doi[ts]|(?:refund|pay|send|tip|give|owe)s? me|sicher nicht|seguro que no|not (?:really|yet|now|today|anymore|any more)|no thank(?:s| you)|forget (?:it|about it|that)|hold (?:on|off|it|up)|on hold|on second thoughts?|changed my mind|take (?:it|that) back|by mistake|(?:my|a) mistake|cancel(?:led| that| this| it)?|revert(?: that| this| it)?|undo(?: that| this| it)?|ignore (?:that|this|it)|(?:don'?t|dont|do not) (?:actually |really )?(?:do|pay|send|tip|split|give|execute)(?: it| this| that| him| her| them| anything)?|\/s|doch nicht|noch nicht|jetzt nicht|heute nicht|lieber nicht|besser nicht|(?:war|nur|aus) (?:nur )?(?:ein )?(?:spaß|spass|scherz|witz)|vergiss (?:es|das)|anders überlegt|nicht (?:senden|schicken|zahlen|überweisen|ausführen|abschicken)|(?:schick|sende?|zahl|überweis)e? (?:es |das )?(?:noch )?nicht|abbrechen|stornier(?:en|t)?|zurücknehmen|aus versehen|(?:es|era) (?:una )?broma|olvídalo|olvidalo|(?:todavía|todavia|aún|aun|ahora|mejor|hoy) no|no (?:lo )?(?:envíes|envies|pagues|mandes|hagas)|cancel(?:a|ar|alo|ado)|anula(?:r|lo)?|mentira|cambié de (?:idea|opinión)|por error|j'ai changé d'avis|je (?:rigole|plaisante|déconne|blague)|c'est une blague|laisse tomber|oublie(?: ça| ca| le)?|annul(?:e|er|ez|é)|pas (?:encore|maintenant|aujourd'hui)|n'envoie(?:z)? pas|ne (?:le |l')?(?:paie|paye|envoie|donne|verse)[zs]? pas|par erreur|attends)(?![\p{L}\p{N}/])/u;
/** Take it back as the first or the last word of a note that nothing introduces. */
export const NEGATIONS = list(`
  no not never nope nah dont don't didn't didnt doesnt doesn't wont won't cant can't shouldnt shouldn't without stop wait undo false wrong ignore oops whoops abort
  void falsch faux equivocado nein nicht nie niemals kein keine stopp halt warte quatsch scherz nunca jamás tampoco espera broma non jamais pas arrête blague
`);
/** `no worries` negates nothing. */
export const IDIOMS =
  /^(?:no (?:worries|worry|problem|problems|prob|probs|rush|hurry|biggie|cap|need|stress|doubt|joke|matter|pressure|strings|words|hard feelings|big deal|pasa nada|hay de qué|hay problema|te preocupes|es nada)|not (?:bad|too bad|much|a problem|gonna lie)|never (?:change|gets old|stop|give up|enough)|without you|wait (?:for it)|(?:don't|dont) (?:worry|mention it|change|stop|forget|spend)|kein (?:ding|problem|stress|thema)|keine (?:ursache|sorge|sorgen|eile|frage)|nicht (?:schlecht|der rede wert|vergessen)|nie wieder|pas (?:de (?:problème|probleme|souci|soucis|quoi|stress)|mal|grave))/u;

/** Introduces another figure or another person: `5 make that 50`, `5 i mean @alice`. */
export const CORRECTIONS =
  /(?:^|\s)(?:make (?:it|that|this)|i mean|i meant|meant|mean|actually|rather|instead|sorry|oops|correction|change (?:it|that)|or|no|nope|wait|to|better|should be|ich meine|meinte|sondern|lieber|besser|eigentlich|nein|oder|quiero decir|quise decir|digo|mejor|perdón|perdon|mejor dicho|o|je veux dire|plutôt|ou|pardon|non)[\s,:-]+$/;
/** Names another person: `instead of carol`, `and carol`. */
export const OTHER_PERSON =
  /(?:^|\s)(?:(?:i mean(?:t)?|instead of|rather than|not (?:to|for) |ich meine|meinte|anstatt|statt|anstelle von|sondern|sino a|mejor a|quiero decir|quise decir|en vez de|en lugar de|au lieu d[e']|je veux dire|plutôt à|nicht an|no a|pas à)(?:\s+|(?<=')|(?<=\s))\p{L}|(?:wrong|falsche[rsn]?|mauvaise?) (?:person|guy|user|one|name|recipient|address|account|wallet|dude|empfänger|adresse|konto|personne|destinataire|compte)|(?:persona|usuario|destinatario|cuenta) equivocad[oa]|(?:give|pay|tip|send) (?!it|this|me)\p{L}+|(?:the )?same (?:for|to)|cc \p{L}+|dasselbe für|das gleiche für|lo mismo para|pareil pour|someone else|somebody else|jemand ander\p{L}+|otra persona|quelqu'un d'autre)/u;
/** Add something to the payment: `5 usdc and carol`. */
export const ADDITIONS = list('and also und auch y e et también tambien aussi & +');

/** Change the figure before them: as the first words of a note, or anywhere in a note that nothing introduces. */
export const AMOUNT_CHANGERS = phrases(
  `
  (?:in )?total|altogether|overall|combined|together|between|among|amongst|or|plus|minus|times|max|maximum|minimum|at (?:most|least)|up to|approximately|approx|about
  around|roughly|ish|more|less|each|apiece|per|every|everyday|daily|weekly|monthly|hourly|yearly|twice|thrice|double|triple|half|again and again|repeat(?:ing|ed|edly)?|recurring
  too (?:much|little|low|high|many)|zu (?:viel|wenig)|demasiado|trop(?: peu)?|an? (?:day|week|month|year|hour|minute|piece|head|person)|per ?cent|incl\\w*|excl\\w*|(?:before|after|minus|plus) (?:fees|tax|taxes)|wrong amount
  insgesamt|zusammen|pro|jede[nrsm]?|jeweils|(?:stünd|täg|wöchent|monat|jähr)lich|(?:zwei|drei|vier|fünf|zehn)mal|oder|mehr|weniger|mal|höchstens|mindestens|bis zu|ungefähr|etwa|circa|ca|die hälfte|zzgl|abzüglich
  en total|cada|por (?:cabeza|persona|día|semana|mes)|al (?:día|mes|año)|a la semana|diario|diariamente|semanal(?:es|mente)?|mensual(?:es|mente)?|más|menos|veces|como máximo|al menos|unos|aproximadamente|la mitad|juntos
  par (?:mois|jour|semaine|an|heure|tête|personne)|chaque|tous les|toutes les|au (?:total|moins|plus|maximum)|en tout|ensemble|environ|à peu près|ou|fois|la moitié|chacune?|quotidien|hebdomadaire|mensuel|anual(?:mente)?
`,
  'first',
);
/** The same behind `for`, and anywhere else: `for each goal`. */
export const MULTIPLES = phrases(`
  each|every|apiece|per (?:person|head|day|week|month|hour|year|piece|goal|post|like|retweet)|in total|(?:daily|weekly|monthly|hourly|yearly)$
  pro (?:person|kopf|tag|woche|stunde|monat|jahr|tor|stück)|jede[nrsm]?|täglich|wöchentlich|monatlich|cada|todos los (?:d[ií]as|meses)|todas las semanas|al (?:día|mes|año)|a la semana|por (?:cabeza|persona)
  par (?:mois|jour|semaine|an|heure|tête|personne)|chaque|tous les (?:jours|mois)|toutes les semaines
`);

/** A period or a person alone behind its introduction: `5 por semana`, `5 for a month`. */
export const PERIODS =
  /^(?:(?:an? |one )?(?:day|week|month|year|hour|person|head)|(?:un |una )?(?:d[ií]a|semana|mes|año|hora|persona|cabeza|gol|partido)|(?:ein(?:en|e)? )?(?:tag|woche|monat|jahr|stunde)|une? (?:jour|semaine|mois|an|heure|personne))$/;

/** A question without its mark, an explanation of the command, a quotation: `5 usdc how do i do this`, `5 usdc for example`. */
export const EXPLANATIONS = phrases(
  `
  how (?:do|does|did|to|can|is|it|much|many)|what (?:is|are|does|do|if|about|happens)|why|who (?:is|are|was|gets|wants)|where (?:is|are|do|does)|which
  wie (?:geht|mach|kann|viel|funktioniert|man)\\p{L}*|warum|wieso|was (?:ist|macht|heißt|passiert)|c[oó]mo (?:hago|se|puedo|funciona)|por qu[eé]|qu[eé] (?:es|hace|pasa)|cu[aá]nto|comment|pourquoi|c'est quoi|combien
  (?:for |as an )?example|for instance|e\\.?g\\.?|like (?:this|that|so)|(?:that's|thats|that is|this is) how|and so on|etc|hypothetical(?:ly)?|theoretical(?:ly)?|in theory
  (?:zum )?beispiel|beispielsweise|z\\.?b\\.?|so (?:geht|macht|funktioniert|etwa)|theoretisch|hypothetisch|por ejemplo|p\\.?ej\\.?|as[ií] (?:se|es)|en teor[ií]a|par exemple|comme (?:ça|ca)|en théorie
  (?:he|she|they|er|sie|él|ella|il|elle|on) (?:said|says|told|wrote|typed|sagte?|meinte|schrieb|dijo|dice|dit|a dit)
`,
  'first',
);
/** A time alone behind its introduction: `5 for tomorrow`. */
export const TIMES_ALONE =
  /^(?:now|later|tomorrow|tonight|soon|next (?:week|month|time)|(?:jetzt|morgen|übermorgen|später|nachher|bald|nächste (?:woche|mal)|nächsten monat)|(?:ahora|mañana|luego|más tarde|mas tarde|después|pronto)|(?:maintenant|demain|plus tard|bientôt|après))$/;
/** Several persons behind an introduction: `5 for both of you`. */
export const SEVERAL =
  /^(?:(?:both|all|each|every one|the two) of (?:you|them|us)|you (?:both|two|all|guys|and \p{L}+)|them|us all|everyone|everybody|all|(?:alle|euch(?: beide| alle)?|beide|dich und \p{L}+)|(?:todos|ambos|los dos|ustedes|vosotros)|(?:tous|vous deux|toi et \p{L}+)|\p{L}+ to (?:keep|have|hold|give \P{L}?.+))$/u;
/** A sentence about the command, not a note of it: `5 usdc would be nice`. */
export const STATEMENTS = list(`
  is was are were isn't wasn't would should could will might may did does has had must but than then fail failed fails error errors works worked
  broke broken bounced received requested request ist war wäre sind hat hatte muss soll sollte geht ging es fue era sería está son est était serait
`);

const THANKS_EN =
  /^(?:(?:ok|okay|wow|nice|great|awesome|cool|yay|oh|many|so|big|huge|much) )?(?:thanks|thank you|thank u|thankyou|thx|thnx|tnx|ty|tysm|tyvm|tyty|cheers|much appreciated|appreciated|appreciate it)(?: (?:so|very|a|again|you|u|much|lot|bunch|ton|million|man|bro|mate|buddy|dude|friend|sir|fam|all|both|guys|everyone|lol))*$/;
const THANKS_DE =
  /^(?:(?:vielen|vielen lieben|lieben|besten|herzlichen|tausend|1000|ganz lieben|ok|super) )?(?:danke|dank|dankeschön|dankeschoen|thx|merci)(?: (?:schön|schoen|sehr|dir|euch|ihnen|nochmal|nochmals|vielmals|leute))*$/;
const THANKS_ES =
  /^(?:(?:muchas|muchísimas|muchisimas|mil|ok|genial) )?(?:gracias|grax|graciass)(?: (?:a|todos|todas|ti|amigo|amiga|de|nuevo|otra|vez|tío|bro))*$/;

const THANKS_FR =
  /^(?:(?:grand|mille|ok) )?mercis?(?: (?:beaucoup|bien|infiniment|encore|mille|fois|à|a|toi|vous|tous|l'ami))*$/;

/** Whether a note is thanks and nothing more. @param said in lower case, without punctuation and emoji */
export function isThanks(said: string): boolean {
  return THANKS_EN.test(said) || THANKS_DE.test(said) || THANKS_ES.test(said) || THANKS_FR.test(said);
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
  can could would will you u ya ye i i'd id we we'd wanna want like need to let me let's lets us go ahead gonna
  yes yep yeah yup sure thanks thank thx ty
  bitte hallo hi na kannst könntest koenntest würdest wuerdest magst du mir mal mir ich möchte moechte will würde gern gerne jetzt doch und ja danke guten morgen tag
  por favor porfa hola oye puedes podrías podrias quiero quisiera me gustaría gustaria ahora y vamos a sí gracias buenas buenos días
  s'il te plaît plait svp stp bonjour salut oui merci peux-tu tu peux je veux voudrais pourrais-tu pouvez-vous pouvez
`);
