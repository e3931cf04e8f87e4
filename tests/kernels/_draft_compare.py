import sys, random, tomllib, time
sys.path.insert(0,'/work/main')
from tests.reference.deal import Deal
from tests.reference import cards as RC
from forty5sim.rules import presets, find_rules, RuleSet
from forty5sim.game import Game
from forty5sim.cards import card_name, parse_card
from forty5sim.notation import action_name, parse_action
def options(r):
    o=dict(r.options()); o['family']=r.family
    if r.deck!='standard': o['deck']=r.deck.split('+')
    return o
def compare(r,n,seed,rng,scores=None,pot=0):
    g=Game(r,n,seed=seed,dealer=seed%n,scores=scores,pot=pot)
    pack=[card_name(c) for c in g._state[-53:][:len(r.deck_cards())].tolist()]
    sides=r.side_count(n)
    before={'scores':list(scores or [0]*sides)} if r.family=='counting' else {'pot':pot,'stacks':list(scores or [int(r.stack)]*n)}
    d=Deal(options(r),n,sides,seed%n,pack,before)
    while True:
        assert g.phase==d.phase,(g.phase,d.phase)
        if g.phase=='over': break
        assert g.seat==d.seat
        legal={action_name(a,g.phase) for a in g.legal_actions}
        assert legal==d.legal(),(r.id,g.phase,legal,d.legal(),str(g))
        a=rng.choice(sorted(legal))
        g.push(parse_action(a)); d.apply(a)
        assert g.tricks==d.tricks_won
    res=d.result()
    assert g.points==res['points'],(r.id,g.points,res,str(g))
    w=int(g._state[24]); 
    assert (None if w<0 else w)==res['winner'],(r.id,w,res)
    if r.family=='pot':
        assert g.scores==res['after']['stacks'] and g.pot==res['after']['pot']; assert g.outcome==res['outcome'],(g.outcome,res)
    else: assert g.scores==res['after']['scores']
    for t,u in zip(g.history,d.tricks): assert t.winner==u['winner'] and [card_name(c) for c in t.cards]==list(u['cards'])
rng=random.Random(1); t0=time.time(); n=0
for rep in range(int(sys.argv[1])):
  for name,r in presets().items():
    for p in r.players:
        compare(r,p,rng.randrange(10**9),rng); n+=1
print(n,time.time()-t0)
from forty5sim.rules import OPTIONS
bad=0
for k in range(int(sys.argv[2])):
    fam=rng.choice(['counting','pot'])
    ch={}
    for name,o in OPTIONS.items():
        if fam in o.families and rng.random()<.35 and name not in('first_dealer','trump','hand_size','sides','stack','target','game_deals'):
            vals=list(o.words)
            if o.numbers is not None: vals+= [x for x in (1,2,3,4,7) if x in o.numbers]
            ch[name]=rng.choice(vals)
    if rng.random()<.3: ch['hand_size']=rng.choice([2,3,4,5])
    if rng.random()<.2: ch['trump']=rng.choice('SCDH')
    try: r=RuleSet(family=fam,**ch)
    except Exception as e: bad+=1; continue
    p=rng.choice(r.players)
    s=None; pot=0
    if fam=='counting' and r.stop_at_target=='off': s=[rng.choice([0,15,20,25,30,35,40]) for _ in range(r.side_count(p))]
    elif fam=='counting': s=[rng.choice([0,15,20,25,30,35,40]) for _ in range(r.side_count(p))]
    else:
        pot=rng.choice([0,0,3,5,11,24]); s=[rng.choice([10,20,50]) for _ in range(p)]
    try: compare(r,p,rng.randrange(10**9),rng,s,pot)
    except AssertionError as e: print(r.changes(),p,s,pot); raise
print('random options',k+1-bad,'refused',bad)
